#include "engine/models/krea2/krea2_config.h"

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>

#include "engine/io/config_detect.h"
#include "engine/io/config_fields.h"
#include "engine/io/config_table.h"
#include "engine/models/rotary_axes.h"

namespace mantissa {

using namespace config_detect;
using nlohmann::json;

namespace {

constexpr const char* kKrea2Class = "Krea2Transformer2DModel";
constexpr const char* kKrea2Axes = "axes_dims_rope";
constexpr const char* kIndex = "model_index.json";

constexpr ConfigField<Krea2Config> kKrea2Fields[] = {
    {"in_channels", &Krea2Config::in_channels, 64, extent_of("img_in.weight", 1), 4},
    {"num_layers", &Krea2Config::layers, 28, count_of("transformer_blocks.", ".attn.to_q.weight")},
    {"attention_head_dim", &Krea2Config::head_dim, 128, kDerivedField, 2},
    {"num_attention_heads", &Krea2Config::heads, 48, kDerivedField},
    {"num_key_value_heads", &Krea2Config::key_heads, 12, kDerivedField},
    {"intermediate_size", &Krea2Config::hidden, 16384,
     extent_of("transformer_blocks.0.ff.gate.weight", 0)},
    {"timestep_embed_dim", &Krea2Config::time_channels, 256,
     extent_of("time_embed.linear_1.weight", 1), 2},
    {"text_hidden_dim", &Krea2Config::text_channels, 2560, extent_of("txt_in.linear_1.weight", 1)},
    {"num_text_layers", &Krea2Config::text_layers, 12,
     extent_of("text_fusion.projector.weight", 1)},
    {"num_layerwise_text_blocks", &Krea2Config::layerwise_blocks, 2,
     count_of("text_fusion.layerwise_blocks.", ".attn.to_q.weight"), 0},
    {"num_refiner_text_blocks", &Krea2Config::refiner_blocks, 2,
     count_of("text_fusion.refiner_blocks.", ".attn.to_q.weight"), 0},
    {"rope_theta", &Krea2Config::rope_theta, 1000},
    {"norm_eps", &Krea2Config::norm_eps, 1e-5},
};
/// Those of the fusion's blocks, which nothing tells where there are none.
constexpr ConfigField<Krea2Config> kKrea2TextFields[] = {
    {"text_num_attention_heads", &Krea2Config::text_heads, 20, kDerivedField},
    {"text_num_key_value_heads", &Krea2Config::text_key_heads, 20, kDerivedField},
    {"text_intermediate_size", &Krea2Config::text_hidden, 6912, kDerivedField},
};

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
  const int width = dim(weights, kDenoiser, path + "to_q.weight", 0);
  const int keys = dim(weights, kDenoiser, path + "to_k.weight", 0);
  const int head = head_width(weights, kDenoiser, path + "norm_q.weight", width);
  return {head, width / head, keys / head};
}

Krea2Config detect_krea2(const WeightSource& weights) {
  const std::string fusion = "text_fusion.";
  Krea2Config c;
  detect_table(weights, kDenoiser, kKrea2Fields, c);
  const Krea2Heads heads = krea2_heads(weights, "transformer_blocks.0.attn.");
  c.heads = heads.queries;
  c.key_heads = heads.keys;
  c.head_dim = heads.dim;
  const std::string first = first_name(weights, kDenoiser, "_blocks.0.ff.gate.weight");
  if (first.starts_with(fusion)) {
    const std::string path = first.substr(0, first.size() - std::string("ff.gate.weight").size());
    const Krea2Heads text = krea2_heads(weights, path + "attn.");
    c.text_heads = text.queries;
    c.text_key_heads = text.keys;
    c.text_hidden = dim(weights, kDenoiser, first, 0);
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
  read_table(f, kKrea2Fields, c);
  read_table(f, kKrea2TextFields, c);
  c.axes_dims = f.exactly<3>(kKrea2Axes, {32, 48, 48});
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
  require_part(weights, kDenoiser);
  const Krea2Config found = detect_krea2(weights);
  const Krea2Config c =
      config_by_table(weights, kDenoiser, kKrea2Fields, found, krea2_config_from_json);
  if (c.layerwise_blocks + c.refiner_blocks > 0) {
    check_table(weights, kDenoiser, kKrea2TextFields, c, found);
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
  json object{{"_class_name", kKrea2Class}, {kKrea2Axes, c.axes_dims}};
  write_table(object, kKrea2Fields, c);
  write_table(object, kKrea2TextFields, c);
  return object;
}

}  // namespace mantissa
