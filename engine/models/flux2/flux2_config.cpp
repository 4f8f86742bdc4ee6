#include "engine/models/flux2/flux2_config.h"

#include <nlohmann/json.hpp>

#include "engine/io/config_detect.h"
#include "engine/io/config_fields.h"
#include "engine/models/flux2/flux2_keys.h"
#include "engine/models/rotary_axes.h"

namespace mantissa {

using namespace config_detect;
using nlohmann::json;

namespace {

constexpr const char* kFlux2Class = "Flux2Transformer2DModel";
constexpr const char* kFlux2Axes = "axes_dims_rope";
constexpr const char* kTime = "time_guidance_embed.timestep_embedder.linear_1.weight";
constexpr const char* kGuidance = "time_guidance_embed.guidance_embedder.linear_1.weight";

/// Quarters of a head, each of whole pairs; the first axes take what is left.
std::array<int, 4> equal_axes(int head_dim) {
  const int pairs = head_dim / 2;
  std::array<int, 4> axes{};
  for (int i = 0; i < 4; ++i) {
    axes[static_cast<std::size_t>(i)] = 2 * (pairs / 4 + (i < pairs % 4 ? 1 : 0));
  }
  return axes;
}

/// Inner width of the feed-forwards.
int hidden_of(const WeightSource& weights, int single_blocks, int width) {
  const Part part;
  return single_blocks > 0
             ? dim(weights, part, "single_transformer_blocks.0.attn.to_out.weight", 1) - width
             : dim(weights, part, first_name(weights, part, ".ff.linear_out.weight"), 1);
}

Flux2Config detect_flux2(const WeightSource& weights) {
  const Part part;
  Flux2Config c;
  const int width = dim(weights, part, "x_embedder.weight", 0);
  c.in_channels = dim(weights, part, "x_embedder.weight", 1);
  c.context_channels = dim(weights, part, "context_embedder.weight", 1);
  c.time_channels = dim(weights, part, kTime, 1);
  c.guidance = weights.contains(part, kGuidance);
  c.double_blocks = count_names(weights, part, "transformer_blocks.", ".attn.to_q.weight");
  c.single_blocks =
      count_names(weights, part, "single_transformer_blocks.", ".attn.to_qkv_mlp_proj.weight");
  const std::string norm = first_name(weights, part, ".attn.norm_q.weight");
  c.head_dim = head_width(weights, part, norm, width);
  c.heads = width / c.head_dim;
  c.mlp_ratio = static_cast<double>(hidden_of(weights, c.single_blocks, width)) / width;
  c.axes_dims = equal_axes(c.head_dim);
  return c;
}

}  // namespace

Flux2Config flux2_config_from_json(const json& object, const std::string& label) {
  const ConfigFields f(object, label);
  f.only("_class_name", kFlux2Class);
  f.only("patch_size", 1);
  Flux2Config c;
  c.in_channels = f.integer("in_channels", 128);
  f.only("out_channels", c.in_channels);
  c.double_blocks = f.integer("num_layers", 8, 0);
  c.single_blocks = f.integer("num_single_layers", 48, 0);
  c.head_dim = f.integer("attention_head_dim", 128, 2);
  c.heads = f.integer("num_attention_heads", 48);
  c.context_channels = f.integer("joint_attention_dim", 15360);
  c.time_channels = f.integer("timestep_guidance_channels", 256, 2);
  c.mlp_ratio = f.number("mlp_ratio", 3);
  c.axes_dims = f.exactly<4>(kFlux2Axes, {32, 32, 32, 32});
  c.rope_theta = f.number("rope_theta", 2000);
  c.norm_eps = f.number("eps", 1e-6);
  c.guidance = f.boolean("guidance_embeds", true);
  f.refuse_others({});
  check_rotary_axes(f, kFlux2Axes, c.axes_dims, c.head_dim);
  return c;
}

Flux2Config flux2_config(const WeightSource& weights) {
  const Part part;
  require_part(weights, part);
  const Flux2Config found = detect_flux2(weights);
  const Flux2Config c = declared_or(found, weights, part, flux2_config_from_json);
  same(weights, part, "in_channels", c.in_channels, found.in_channels);
  same(weights, part, "num_attention_heads", c.heads, found.heads);
  same(weights, part, "attention_head_dim", c.head_dim, found.head_dim);
  same(weights, part, "num_layers", c.double_blocks, found.double_blocks);
  same(weights, part, "num_single_layers", c.single_blocks, found.single_blocks);
  same(weights, part, "joint_attention_dim", c.context_channels, found.context_channels);
  same(weights, part, "timestep_guidance_channels", c.time_channels, found.time_channels);
  same(weights, part, "guidance_embeds", c.guidance, found.guidance);
  if (c.hidden() != hidden_of(weights, found.single_blocks, found.width())) {
    same(weights, part, "mlp_ratio", c.mlp_ratio, found.mlp_ratio);
  }
  return c;
}

json to_json(const Flux2Config& c) {
  return {{"_class_name", kFlux2Class},
          {"patch_size", 1},
          {"in_channels", c.in_channels},
          {"out_channels", nullptr},
          {"num_layers", c.double_blocks},
          {"num_single_layers", c.single_blocks},
          {"attention_head_dim", c.head_dim},
          {"num_attention_heads", c.heads},
          {"joint_attention_dim", c.context_channels},
          {"timestep_guidance_channels", c.time_channels},
          {"mlp_ratio", c.mlp_ratio},
          {"axes_dims_rope", c.axes_dims},
          {"rope_theta", c.rope_theta},
          {"eps", c.norm_eps},
          {"guidance_embeds", c.guidance}};
}

}  // namespace mantissa
