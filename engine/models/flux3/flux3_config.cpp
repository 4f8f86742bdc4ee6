#include "engine/models/flux3/flux3_config.h"

#include <nlohmann/json.hpp>

#include "engine/io/config_detect.h"
#include "engine/io/config_fields.h"
#include "engine/io/config_table.h"
#include "engine/models/flux3/flux3_keys.h"
#include "engine/models/rotary_axes.h"

namespace mantissa {

using namespace config_detect;
using nlohmann::json;

namespace {

constexpr const char* kFlux3Class = "Flux3Transformer2DModel";
constexpr const char* kFlux3Axes = "axes_dims_rope";

constexpr ConfigField<Flux3Config> kFlux3Fields[] = {
    {"in_channels", &Flux3Config::in_channels, 128, extent_of("x_embedders.image.weight", 1)},
    {"cond_in_channels", &Flux3Config::reference_channels, 128,
     extent_of("x_embedders.image_cond.weight", 1)},
    {"num_layers", &Flux3Config::mode_blocks, 5,
     count_of("mode_blocks.image.", ".attn.to_q.weight"), 0},
    {"num_single_layers", &Flux3Config::single_blocks, 28,
     count_of("single_transformer_blocks.", ".attn.to_q.weight"), 0},
    {"attention_head_dim", &Flux3Config::head_dim, 128, kDerivedField, 2},
    {"num_attention_heads", &Flux3Config::heads, 24, kDerivedField},
    {"joint_attention_dim", &Flux3Config::context_channels, 20480,
     extent_of("context_embedder.weight", 1)},
    {"timestep_channels", &Flux3Config::time_channels, 256,
     extent_of("timestep_embedder.linear_1.weight", 1), 2},
    {"mlp_ratio", &Flux3Config::mlp_ratio, 3},
    {"rope_theta", &Flux3Config::rope_theta, 10000},
    {"eps", &Flux3Config::norm_eps, 1e-6},
    {"flow_map", &Flux3Config::flow_map, false,
     presence_of("target_timestep_embedder.linear_1.weight")},
};

/// Inner width of the feed-forwards.
int flux3_hidden(const WeightSource& weights) {
  return dim(weights, kDenoiser, first_name(weights, kDenoiser, ".ff.linear_out.weight"), 1);
}

Flux3Config detect_flux3(const WeightSource& weights) {
  const Part part = kDenoiser;
  Flux3Config c;
  detect_table(weights, part, kFlux3Fields, c);
  const int width = dim(weights, part, "x_embedders.image.weight", 0);
  detect_heads(weights, part, first_name(weights, part, ".attn.norm_q.weight"), width, c);
  c.mlp_ratio = static_cast<double>(flux3_hidden(weights)) / width;
  c.axes_dims = equal_rotary_axes<4>(c.head_dim);
  return c;
}

}  // namespace

Flux3Config flux3_config_from_json(const json& object, const std::string& label) {
  const ConfigFields f(object, label);
  f.only("_class_name", kFlux3Class);
  Flux3Config c;
  read_table(f, kFlux3Fields, c);
  c.axes_dims = f.exactly<4>(kFlux3Axes, {32, 32, 32, 32});
  f.refuse_others({});
  check_rotary_axes(f, kFlux3Axes, c.axes_dims, c.head_dim);
  return c;
}

Flux3Config flux3_config(const WeightSource& weights) {
  const Part part = kDenoiser;
  require_part(weights, part);
  const Flux3Config found = detect_flux3(weights);
  const Flux3Config c = config_by_table(weights, part, kFlux3Fields, found, flux3_config_from_json);
  if (c.hidden() != flux3_hidden(weights)) {
    same(weights, part, "mlp_ratio", c.mlp_ratio, found.mlp_ratio);
  }
  return c;
}

json to_json(const Flux3Config& c) {
  json object{{"_class_name", kFlux3Class}, {kFlux3Axes, c.axes_dims}};
  write_table(object, kFlux3Fields, c);
  return object;
}

}  // namespace mantissa
