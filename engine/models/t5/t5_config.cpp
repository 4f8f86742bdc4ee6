#include "engine/models/t5/t5_config.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "engine/io/config_detect.h"
#include "engine/io/config_fields.h"
#include "engine/io/config_table.h"
#include "engine/io/transformers_fields.h"

namespace mantissa {

using namespace config_detect;
using nlohmann::json;

namespace {

constexpr std::array<std::string_view, 3> kT5Harmless{"dropout_rate", "initializer_factor",
                                                      "scale_decoder_outputs"};

constexpr const char* kT5Bias =
    "encoder.block.0.layer.0.SelfAttention.relative_attention_bias.weight";
constexpr ConfigField<T5Config> kT5Fields[] = {
    {"vocab_size", &T5Config::vocab, 32128, extent_of("shared.weight", 0), 4},
    {"d_model", &T5Config::hidden, 512, extent_of("shared.weight", 1)},
    {"num_layers", &T5Config::layers, 6,
     count_of("encoder.block.", ".layer.0.SelfAttention.q.weight")},
    {"num_heads", &T5Config::heads, 8, extent_of(kT5Bias, 1)},
    {"d_kv", &T5Config::head_dim, 64, kDerivedField},
    {"d_ff", &T5Config::intermediate, 2048,
     extent_of("encoder.block.0.layer.1.DenseReluDense.wi_0.weight", 0)},
    {"relative_attention_num_buckets", &T5Config::buckets, 32, extent_of(kT5Bias, 0), 4},
    {"relative_attention_max_distance", &T5Config::max_distance, 128, {}, 2},
    {"layer_norm_epsilon", &T5Config::norm_eps, 1e-6},
    {"pad_token_id", &T5Config::pad_id, 0, {}, 0},
    {"eos_token_id", &T5Config::eos_id, 1, {}, 0},
};

T5Config detect_t5(const WeightSource& weights, Part part) {
  T5Config c;
  detect_table(weights, part, kT5Fields, c);
  c.head_dim = dim(weights, part, "encoder.block.0.layer.0.SelfAttention.q.weight", 0) /
               std::max(1, c.heads);
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
  read_table(f, kT5Fields, c);
  f.find("bos_token_id");
  refuse_other_fields(f, kT5Harmless);
  return c;
}

T5Config t5_config(const WeightSource& weights, Part part) {
  require_part(weights, part);
  const T5Config found = detect_t5(weights, part);
  return config_by_table(weights, part, kT5Fields, found, t5_config_from_json);
}

}  // namespace mantissa
