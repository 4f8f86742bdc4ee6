#include "engine/models/flux2/flux2_config.h"

#include <nlohmann/json.hpp>

#include "engine/io/config_detect.h"
#include "engine/models/flux2/flux2_keys.h"
#include "engine/models/patched_config.h"

namespace mantissa {

using namespace config_detect;
using nlohmann::json;

namespace {

constexpr const char* kFlux2Class = "Flux2Transformer2DModel";

constexpr ConfigField<Flux2Config> kFlux2Fields[] = {
    {"in_channels", &Flux2Config::in_channels, 128, extent_of("x_embedder.weight", 1)},
    {"num_layers", &Flux2Config::double_blocks, 8,
     count_of("transformer_blocks.", ".attn.to_q.weight"), 0},
    {"num_single_layers", &Flux2Config::single_blocks, 48,
     count_of("single_transformer_blocks.", ".attn.to_qkv_mlp_proj.weight"), 0},
    {"attention_head_dim", &Flux2Config::head_dim, 128, kDerivedField, 2},
    {"num_attention_heads", &Flux2Config::heads, 48, kDerivedField},
    {"joint_attention_dim", &Flux2Config::context_channels, 15360,
     extent_of("context_embedder.weight", 1)},
    {"timestep_guidance_channels", &Flux2Config::time_channels, 256,
     extent_of("time_guidance_embed.timestep_embedder.linear_1.weight", 1), 2},
    {"mlp_ratio", &Flux2Config::mlp_ratio, 3},
    {"rope_theta", &Flux2Config::rope_theta, 2000},
    {"eps", &Flux2Config::norm_eps, 1e-6},
    {"guidance_embeds", &Flux2Config::guidance, true,
     presence_of("time_guidance_embed.guidance_embedder.linear_1.weight")},
};

/// Inner width of the feed-forwards.
int hidden_of(const WeightSource& weights, int single_blocks, int width) {
  return single_blocks > 0
             ? dim(weights, kDenoiser, "single_transformer_blocks.0.attn.to_out.weight", 1) - width
             : dim(weights, kDenoiser, first_name(weights, kDenoiser, ".ff.linear_out.weight"), 1);
}

Flux2Config detect_flux2(const WeightSource& weights) {
  Flux2Config c;
  detect_table(weights, kDenoiser, kFlux2Fields, c);
  const int width = dim(weights, kDenoiser, "x_embedder.weight", 0);
  detect_heads(weights, kDenoiser, first_name(weights, kDenoiser, ".attn.norm_q.weight"), width, c);
  c.mlp_ratio = static_cast<double>(hidden_of(weights, c.single_blocks, width)) / width;
  c.axes_dims = equal_rotary_axes<4>(c.head_dim);
  return c;
}

}  // namespace

Flux2Config flux2_config_from_json(const json& object, const std::string& label) {
  return read_patched(ConfigFields(object, label), kFlux2Class, kFlux2Fields,
                      std::array{32, 32, 32, 32});
}

Flux2Config flux2_config(const WeightSource& weights) {
  require_part(weights, kDenoiser);
  const Flux2Config found = detect_flux2(weights);
  const Flux2Config c =
      config_by_table(weights, kDenoiser, kFlux2Fields, found, flux2_config_from_json);
  if (c.hidden() != hidden_of(weights, found.single_blocks, found.width())) {
    same(weights, kDenoiser, "mlp_ratio", c.mlp_ratio, found.mlp_ratio);
  }
  return c;
}

json to_json(const Flux2Config& c) {
  return write_patched(kFlux2Class, kFlux2Fields, c);
}

}  // namespace mantissa
