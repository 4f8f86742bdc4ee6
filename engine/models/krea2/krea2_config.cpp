#include "engine/models/krea2/krea2_config.h"

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>

#include "engine/io/config_detect.h"
#include "engine/io/config_fields.h"
#include "engine/models/rotary_axes.h"

namespace mantissa {

using namespace config_detect;
using nlohmann::json;

namespace {

constexpr const char* kKrea2Class = "Krea2Transformer2DModel";
constexpr const char* kKrea2Axes = "axes_dims_rope";
constexpr const char* kIndex = "model_index.json";

/// A quarter of a head for frames, the rest in two, each of whole pairs.
std::array<int, 3> krea2_axes(int head_dim) {
  const int pairs = head_dim / 2, sides = pairs * 3 / 8;
  return {2 * (pairs - 2 * sides), 2 * sides, 2 * sides};
}

/// Width of a head, and how many heads queries and keys have, of attention at `path`.
struct Krea2Heads {
  int dim, queries, keys;
};
Krea2Heads krea2_heads(const WeightSource& weights, const std::string& path) {
  const Part part;
  const int width = dim(weights, part, path + "to_q.weight", 0);
  const int keys = dim(weights, part, path + "to_k.weight", 0);
  const int head = head_width(weights, part, path + "norm_q.weight", width);
  return {head, width / head, keys / head};
}

Krea2Config detect_krea2(const WeightSource& weights) {
  const Part part;
  const std::string block = "transformer_blocks.0.", fusion = "text_fusion.";
  Krea2Config c;
  c.in_channels = dim(weights, part, "img_in.weight", 1);
  c.time_channels = dim(weights, part, "time_embed.linear_1.weight", 1);
  c.layers = count_names(weights, part, "transformer_blocks.", ".attn.to_q.weight");
  const Krea2Heads heads = krea2_heads(weights, block + "attn.");
  c.heads = heads.queries;
  c.key_heads = heads.keys;
  c.head_dim = heads.dim;
  c.hidden = dim(weights, part, block + "ff.gate.weight", 0);
  c.text_layers = dim(weights, part, fusion + "projector.weight", 1);
  c.layerwise_blocks =
      count_names(weights, part, fusion + "layerwise_blocks.", ".attn.to_q.weight");
  c.refiner_blocks = count_names(weights, part, fusion + "refiner_blocks.", ".attn.to_q.weight");
  c.text_channels = dim(weights, part, "txt_in.linear_1.weight", 1);
  const std::string first = first_name(weights, part, "_blocks.0.ff.gate.weight");
  if (first.starts_with(fusion)) {
    const std::string path = first.substr(0, first.size() - std::string("ff.gate.weight").size());
    const Krea2Heads text = krea2_heads(weights, path + "attn.");
    c.text_heads = text.queries;
    c.text_key_heads = text.keys;
    c.text_hidden = dim(weights, part, first, 0);
  }
  c.axes_dims = krea2_axes(c.head_dim);
  return c;
}

/// `count` heads must share `whole` evenly, the value of another field.
void check_krea2_heads(const ConfigFields& f, const char* key, int count, const char* whole_key,
                       int whole) {
  if (whole % count != 0) {
    f.fail(key,
           message<"is {count}, which does not divide {field}, {value}">(count, whole_key, whole));
  }
}

}  // namespace

Krea2Config krea2_config_from_json(const json& object, const std::string& label) {
  const ConfigFields f(object, label);
  f.only("_class_name", kKrea2Class);
  Krea2Config c;
  c.in_channels = f.integer("in_channels", 64, 4);
  c.layers = f.integer("num_layers", 28);
  c.head_dim = f.integer("attention_head_dim", 128, 2);
  c.heads = f.integer("num_attention_heads", 48);
  c.key_heads = f.integer("num_key_value_heads", 12);
  c.hidden = f.integer("intermediate_size", 16384);
  c.time_channels = f.integer("timestep_embed_dim", 256, 2);
  c.text_channels = f.integer("text_hidden_dim", 2560);
  c.text_layers = f.integer("num_text_layers", 12);
  c.text_heads = f.integer("text_num_attention_heads", 20);
  c.text_key_heads = f.integer("text_num_key_value_heads", 20);
  c.text_hidden = f.integer("text_intermediate_size", 6912);
  c.layerwise_blocks = f.integer("num_layerwise_text_blocks", 2, 0);
  c.refiner_blocks = f.integer("num_refiner_text_blocks", 2, 0);
  c.axes_dims = f.exactly<3>(kKrea2Axes, {32, 48, 48});
  c.rope_theta = f.number("rope_theta", 1000);
  c.norm_eps = f.number("norm_eps", 1e-5);
  f.refuse_others({});
  check_rotary_axes(f, kKrea2Axes, c.axes_dims, c.head_dim);
  check_krea2_heads(f, "num_key_value_heads", c.key_heads, "num_attention_heads", c.heads);
  check_krea2_heads(f, "text_num_key_value_heads", c.text_key_heads, "text_num_attention_heads",
                    c.text_heads);
  check_krea2_heads(f, "text_num_attention_heads", c.text_heads, "text_hidden_dim",
                    c.text_channels);
  if (c.in_channels % (Krea2Config::kPatch * Krea2Config::kPatch) != 0) {
    f.fail("in_channels",
           message<"is {found}; patches of 2 x 2 latents have a multiple of 4">(c.in_channels));
  }
  return c;
}

Krea2Config krea2_config(const WeightSource& weights) {
  const Part part;
  require_part(weights, part);
  const Krea2Config found = detect_krea2(weights);
  const Krea2Config c = declared_or(found, weights, part, krea2_config_from_json);
  same(weights, part, "in_channels", c.in_channels, found.in_channels);
  same(weights, part, "num_layers", c.layers, found.layers);
  same(weights, part, "attention_head_dim", c.head_dim, found.head_dim);
  same(weights, part, "num_attention_heads", c.heads, found.heads);
  same(weights, part, "num_key_value_heads", c.key_heads, found.key_heads);
  same(weights, part, "intermediate_size", c.hidden, found.hidden);
  same(weights, part, "timestep_embed_dim", c.time_channels, found.time_channels);
  same(weights, part, "text_hidden_dim", c.text_channels, found.text_channels);
  same(weights, part, "num_text_layers", c.text_layers, found.text_layers);
  same(weights, part, "num_layerwise_text_blocks", c.layerwise_blocks, found.layerwise_blocks);
  same(weights, part, "num_refiner_text_blocks", c.refiner_blocks, found.refiner_blocks);
  if (c.layerwise_blocks + c.refiner_blocks > 0) {
    same(weights, part, "text_num_attention_heads", c.text_heads, found.text_heads);
    same(weights, part, "text_num_key_value_heads", c.text_key_heads, found.text_key_heads);
    same(weights, part, "text_intermediate_size", c.text_hidden, found.text_hidden);
  }
  return c;
}

std::vector<int> krea2_text_states(const WeightSource& weights) {
  const ConfigFields f(weights.model_index(), kIndex);
  f.only(kKrea2PatchSize, Krea2Config::kPatch);
  return f.integers(kKrea2States, {2, 5, 8, 11, 14, 17, 20, 23, 26, 29, 32, 35}, 0);
}

void check_krea2_states(const WeightSource& weights, const Krea2Config& config, int layers) {
  const ConfigFields f(weights.model_index(), kIndex);
  const std::vector<int> states = krea2_text_states(weights);
  if (f.find(kKrea2States) == nullptr) {
    return;  // another model's text encoder is refused by its width
  }
  if (std::ssize(states) != config.text_layers) {
    f.fail(kKrea2States, message<"must have {wanted} entries, it has {count}">(config.text_layers,
                                                                               states.size()));
  }
  if (const int last = std::ranges::max(states); last > layers) {
    f.fail(
        kKrea2States,
        message<"names hidden state {state}; the text encoder has {layers} layers">(last, layers));
  }
}

json to_json(const Krea2Config& c) {
  return {{"_class_name", kKrea2Class},
          {"in_channels", c.in_channels},
          {"num_layers", c.layers},
          {"attention_head_dim", c.head_dim},
          {"num_attention_heads", c.heads},
          {"num_key_value_heads", c.key_heads},
          {"intermediate_size", c.hidden},
          {"timestep_embed_dim", c.time_channels},
          {"text_hidden_dim", c.text_channels},
          {"num_text_layers", c.text_layers},
          {"text_num_attention_heads", c.text_heads},
          {"text_num_key_value_heads", c.text_key_heads},
          {"text_intermediate_size", c.text_hidden},
          {"num_layerwise_text_blocks", c.layerwise_blocks},
          {"num_refiner_text_blocks", c.refiner_blocks},
          {"axes_dims_rope", c.axes_dims},
          {"rope_theta", c.rope_theta},
          {"norm_eps", c.norm_eps}};
}

}  // namespace mantissa
