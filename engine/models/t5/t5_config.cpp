#include "engine/models/t5/t5_config.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "engine/io/config_detect.h"
#include "engine/io/config_fields.h"
#include "engine/io/transformers_fields.h"

namespace mantissa {

using namespace config_detect;
using nlohmann::json;

namespace {

constexpr std::array<std::string_view, 3> kT5Harmless{"dropout_rate", "initializer_factor",
                                                      "scale_decoder_outputs"};

T5Config detect_t5(const WeightSource& weights, Part part) {
  T5Config c;
  const std::string first = "encoder.block.0.layer.";
  c.vocab = dim(weights, part, "shared.weight", 0);
  c.hidden = dim(weights, part, "shared.weight", 1);
  c.layers = count_names(weights, part, "encoder.block.", ".layer.0.SelfAttention.q.weight");
  const std::string bias = first + "0.SelfAttention.relative_attention_bias.weight";
  c.buckets = dim(weights, part, bias, 0);
  c.heads = dim(weights, part, bias, 1);
  c.head_dim = dim(weights, part, first + "0.SelfAttention.q.weight", 0) / std::max(1, c.heads);
  c.intermediate = dim(weights, part, first + "1.DenseReluDense.wi_0.weight", 0);
  return c;
}

}  // namespace

T5Config t5_config_from_json(const json& object, const std::string& label) {
  const ConfigFields f(object, label);
  f.only("model_type", "t5");
  const std::string activation = f.text("feed_forward_proj", "relu");
  if (activation != "gated-gelu") {
    f.fail("feed_forward_proj",
           message<"is '{found}'; only gated-gelu (T5 v1.1) is supported">(activation));
  }
  f.one_of("dense_act_fn", "gelu_new", {"gelu_new"});
  f.only("is_gated_act", true);
  T5Config c;
  c.vocab = f.integer("vocab_size", 32128, 4);
  c.hidden = f.integer("d_model", 512);
  c.layers = f.integer("num_layers", 6);
  c.heads = f.integer("num_heads", 8);
  c.head_dim = f.integer("d_kv", 64);
  c.intermediate = f.integer("d_ff", 2048);
  c.buckets = f.integer("relative_attention_num_buckets", 32, 4);
  c.max_distance = f.integer("relative_attention_max_distance", 128, 2);
  c.norm_eps = f.number("layer_norm_epsilon", 1e-6);
  c.pad_id = f.integer("pad_token_id", 0, 0);
  c.eos_id = f.integer("eos_token_id", 1, 0);
  f.find("bos_token_id");
  refuse_other_fields(f, kT5Harmless);
  return c;
}

T5Config t5_config(const WeightSource& weights, Part part) {
  require_part(weights, part);
  const T5Config found = detect_t5(weights, part);
  const T5Config c = declared_or(found, weights, part, t5_config_from_json);
  same(weights, part, "vocab_size", c.vocab, found.vocab);
  same(weights, part, "d_model", c.hidden, found.hidden);
  same(weights, part, "num_layers", c.layers, found.layers);
  same(weights, part, "num_heads", c.heads, found.heads);
  same(weights, part, "d_kv", c.head_dim, found.head_dim);
  same(weights, part, "d_ff", c.intermediate, found.intermediate);
  same(weights, part, "relative_attention_num_buckets", c.buckets, found.buckets);
  return c;
}

}  // namespace mantissa
