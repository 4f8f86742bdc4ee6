#include "engine/models/qwen_image/qwen_image_config.h"

#include <nlohmann/json.hpp>

#include "engine/io/config_detect.h"
#include "engine/io/config_fields.h"
#include "engine/io/config_table.h"
#include "engine/models/flux1/flux1_forward.h"
#include "engine/models/qwen_image/qwen_image_variant.h"
#include "engine/models/rotary_axes.h"

namespace mantissa {

using namespace config_detect;
using nlohmann::json;

namespace {

constexpr const char* kQwenImageClass = "QwenImageTransformer2DModel";
constexpr const char* kQwenImageAxes = "axes_dims_rope";

constexpr ConfigField<QwenImageConfig> kQwenImageFields[] = {
    {"in_channels", &QwenImageConfig::in_channels, 64, extent_of("img_in.weight", 1), 4},
    {"num_layers", &QwenImageConfig::layers, 60,
     count_of("transformer_blocks.", ".attn.to_q.weight")},
    {"attention_head_dim", &QwenImageConfig::head_dim, 128, kDerivedField, 2},
    {"num_attention_heads", &QwenImageConfig::heads, 24, kDerivedField},
    {"joint_attention_dim", &QwenImageConfig::context_channels, 3584,
     extent_of("txt_in.weight", 1)},
    {kQwenImageStill, &QwenImageConfig::zero_cond_t, false},
};

QwenImageConfig detect_qwen_image(const WeightSource& weights) {
  QwenImageConfig c;
  detect_table(weights, kDenoiser, kQwenImageFields, c);
  const int width = dim(weights, kDenoiser, "img_in.weight", 0);
  detect_heads(weights, kDenoiser, "transformer_blocks.0.attn.norm_q.weight", width, c);
  c.axes_dims = usual_flux1_axes(c.head_dim);
  c.zero_cond_t = qwen_image_variant(weights).name == kQwenImageEdits.front();
  return c;
}

}  // namespace

QwenImageConfig qwen_image_config_from_json(const json& object, const std::string& label) {
  const ConfigFields f(object, label);
  f.only("_class_name", kQwenImageClass);
  f.only("patch_size", kFlux1Patch);
  QwenImageConfig c;
  read_table(f, kQwenImageFields, c);
  f.only("out_channels", c.latent_channels());
  c.axes_dims = f.exactly<3>(kQwenImageAxes, {16, 56, 56});
  f.only("guidance_embeds", false);
  f.only("use_additional_t_cond", false);  // Qwen-Image-Layered
  f.only("use_layer3d_rope", false);       // the same
  f.refuse_others(std::array<std::string_view, 1>{"pooled_projection_dim"});
  check_rotary_axes(f, kQwenImageAxes, c.axes_dims, c.head_dim);
  return c;
}

QwenImageConfig qwen_image_config(const WeightSource& weights) {
  require_part(weights, kDenoiser);
  return config_by_table(weights, kDenoiser, kQwenImageFields, detect_qwen_image(weights),
                         qwen_image_config_from_json);
}

json to_json(const QwenImageConfig& c) {
  json object{{"_class_name", kQwenImageClass},
              {"patch_size", kFlux1Patch},
              {"out_channels", c.latent_channels()},
              {kQwenImageAxes, c.axes_dims}};
  write_table(object, kQwenImageFields, c);
  return object;
}

}  // namespace mantissa
