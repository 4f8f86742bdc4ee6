#include "engine/models/chroma/chroma_config.h"

#include <nlohmann/json.hpp>

#include "engine/io/config_detect.h"
#include "engine/models/flux1/flux1_forward.h"
#include "engine/models/patched_config.h"

namespace mantissa {

using namespace config_detect;
using nlohmann::json;

namespace {

constexpr const char* kChromaClass = "ChromaTransformer2DModel";
constexpr const char* kChromaEntry = "distilled_guidance_layer.in_proj.weight";

constexpr ConfigField<ChromaConfig> kChromaFields[] = {
    {"in_channels", &ChromaConfig::in_channels, 64, extent_of("x_embedder.weight", 1)},
    {"num_layers", &ChromaConfig::double_blocks, 19,
     count_of("transformer_blocks.", ".attn.to_q.weight")},
    {"num_single_layers", &ChromaConfig::single_blocks, 38,
     count_of("single_transformer_blocks.", ".attn.to_q.weight")},
    {"attention_head_dim", &ChromaConfig::head_dim, 128, kDerivedField, 2},
    {"num_attention_heads", &ChromaConfig::heads, 24, kDerivedField},
    {"joint_attention_dim", &ChromaConfig::context_channels, 4096,
     extent_of("context_embedder.weight", 1)},
    {"approximator_num_channels", &ChromaConfig::approximator_channels, 64,
     extent_of(kChromaEntry, 1)},
    {"approximator_hidden_dim", &ChromaConfig::approximator_width, 5120,
     extent_of(kChromaEntry, 0)},
    {"approximator_layers", &ChromaConfig::approximator_layers, 5,
     count_of("distilled_guidance_layer.layers.", ".linear_1.weight")},
};

/// Of the approximator's channels a quarter is of the time and of guidance each, half of them
/// cosines.
constexpr int kSinusoids = 8;

void require_multiple(const ConfigFields& f, const char* key, int value, int step) {
  if (value % step != 0) {
    f.fail(key, message<"is {value}; it must be a multiple of {step}">(value, step));
  }
}

ChromaConfig detect_chroma(const WeightSource& weights) {
  ChromaConfig c;
  detect_table(weights, kDenoiser, kChromaFields, c);
  const int width = dim(weights, kDenoiser, "x_embedder.weight", 0);
  detect_heads(weights, kDenoiser, first_name(weights, kDenoiser, ".attn.norm_q.weight"), width, c);
  c.axes_dims = usual_flux1_axes(c.head_dim);
  return c;
}

}  // namespace

ChromaConfig chroma_config_from_json(const json& object, const std::string& label) {
  const ConfigFields f(object, label);
  const ChromaConfig c = read_patched(f, kChromaClass, kChromaFields, std::array{16, 56, 56});
  require_multiple(f, "in_channels", c.in_channels, kFlux1Patch * kFlux1Patch);
  require_multiple(f, "approximator_num_channels", c.approximator_channels, kSinusoids);
  return c;
}

ChromaConfig chroma_config(const WeightSource& weights) {
  require_part(weights, kDenoiser);
  const ChromaConfig found = detect_chroma(weights);
  return config_by_table(weights, kDenoiser, kChromaFields, found, chroma_config_from_json);
}

json to_json(const ChromaConfig& c) {
  return write_patched(kChromaClass, kChromaFields, c);
}

}  // namespace mantissa
