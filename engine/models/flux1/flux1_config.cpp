#include "engine/models/flux1/flux1_config.h"

#include <nlohmann/json.hpp>

#include "engine/core/error.h"
#include "engine/core/paths.h"
#include "engine/io/config_detect.h"
#include "engine/models/flux1/flux1_forward.h"
#include "engine/models/flux1/flux1_keys.h"
#include "engine/models/patched_config.h"

namespace mantissa {

using namespace config_detect;
using nlohmann::json;

namespace {

constexpr const char* kFlux1Class = "FluxTransformer2DModel";

constexpr ConfigField<Flux1Config> kFlux1Fields[] = {
    {"in_channels", &Flux1Config::in_channels, 64, extent_of("x_embedder.weight", 1), 4},
    {"num_layers", &Flux1Config::double_blocks, 19,
     count_of("transformer_blocks.", ".attn.to_q.weight")},
    {"num_single_layers", &Flux1Config::single_blocks, 38,
     count_of("single_transformer_blocks.", ".attn.to_q.weight")},
    {"attention_head_dim", &Flux1Config::head_dim, 128, kDerivedField, 2},
    {"num_attention_heads", &Flux1Config::heads, 24, kDerivedField},
    {"joint_attention_dim", &Flux1Config::context_channels, 4096,
     extent_of("context_embedder.weight", 1)},
    {"pooled_projection_dim", &Flux1Config::pooled_channels, 768,
     extent_of("time_text_embed.text_embedder.linear_1.weight", 1)},
    {"guidance_embeds", &Flux1Config::guidance, false, presence_of(kFlux1Guidance)},
};

/// Fill, Depth and Canny get an image, or a mask too, in further channels.
void require_plain_input(const WeightSource& weights, const Flux1Config& c) {
  const int out = dim(weights, kDenoiser, "proj_out.weight", 0);
  if (out != c.in_channels || c.in_channels % 4 != 0) {
    throw Error(message<"{path}: the transformer reads {given} channels and predicts {wanted}; of "
                        "FLUX.1, models that read an image beside the noise (Fill, Depth, Canny) "
                        "are not supported, only dev, schnell and models of their kind">(
        path_to_utf8(weights.path()), c.in_channels, out));
  }
}

Flux1Config detect_flux1(const WeightSource& weights) {
  Flux1Config c;
  detect_table(weights, kDenoiser, kFlux1Fields, c);
  const int width = dim(weights, kDenoiser, "x_embedder.weight", 0);
  detect_heads(weights, kDenoiser, first_name(weights, kDenoiser, ".attn.norm_q.weight"), width, c);
  c.axes_dims = usual_flux1_axes(c.head_dim);
  require_plain_input(weights, c);
  return c;
}

}  // namespace

Flux1Config flux1_config_from_json(const json& object, const std::string& label) {
  return read_patched(ConfigFields(object, label), kFlux1Class, kFlux1Fields,
                      std::array{16, 56, 56});
}

Flux1Config flux1_config(const WeightSource& weights) {
  require_part(weights, kDenoiser);
  const Flux1Config found = detect_flux1(weights);
  return config_by_table(weights, kDenoiser, kFlux1Fields, found, flux1_config_from_json);
}

json to_json(const Flux1Config& c) {
  return write_patched(kFlux1Class, kFlux1Fields, c);
}

}  // namespace mantissa
