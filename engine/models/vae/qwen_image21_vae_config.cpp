// The config of Qwen-Image-2.1's autoencoder.
#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "engine/io/config_detect.h"
#include "engine/io/config_fields.h"
#include "engine/models/vae/qwen_vae_config.h"

namespace mantissa {

using namespace config_detect;
using nlohmann::json;

namespace {

/// Of the released autoencoder's latents: the defaults of diffusers, as ComfyUI's file has none.
constexpr std::array kQwenImage21Mean{
    0.5126,  0.7721,  -0.0631, 1.3506,  -0.7855, -2.1025, -0.3458, 1.3722,  1.8873,  -1.7177,
    -0.6510, 0.2732,  0.7562,  -0.6163, -1.0277, 3.8363,  2.0210,  0.0472,  0.9320,  2.0087,
    2.4954,  -0.1391, -1.4249, 1.8464,  -0.5236, 1.2826,  3.7046,  -1.3035, 2.7286,  -1.4518,
    -1.9036, -1.9955, -0.0342, -1.0265, -0.7636, 3.0555,  0.0746,  -3.0751, -0.1076, 1.7376,
    -1.0914, -1.9435, -0.2784, -1.3680, 0.4809,  -0.4433, 0.3764,  0.5729,  -2.0595, 1.0960,
    -1.3260, -2.0211, -5.0179, 0.5275,  4.0162,  1.8505,  0.3026,  1.9373,  1.4937,  0.2632,
    0.5547,  -1.7121, -0.1562, 0.0304};
constexpr std::array kQwenImage21Std{
    3.2001, 3.2936, 3.4321, 3.0091, 3.1061, 4.0379, 4.0705, 3.7910, 3.0785, 3.6500, 3.9308,
    3.0904, 2.8778, 3.7675, 3.7320, 5.0756, 3.2864, 4.0397, 3.1317, 4.0443, 2.9249, 3.9454,
    3.0988, 4.2489, 3.4896, 3.8513, 3.9323, 3.4719, 3.7498, 4.2830, 3.5694, 4.2467, 3.9037,
    3.2947, 5.0770, 3.5075, 3.2700, 3.4767, 2.8063, 5.1125, 3.5327, 4.7833, 3.1286, 4.1819,
    3.8527, 3.8312, 3.5605, 4.3875, 3.9624, 4.0168, 3.5643, 4.0550, 5.5614, 4.2963, 4.4080,
    3.4959, 3.8747, 3.7608, 3.5735, 3.1490, 3.7662, 3.6746, 3.4563, 3.8161};
constexpr UsualLatents kQwenImage21Statistics{kQwenImage21Mean, kQwenImage21Std};

/// Both factors follow from the levels.
constexpr std::array<std::string_view, 3> kQwenImage21VaeHarmless{
    "dropout", "scale_factor_temporal", "scale_factor_spatial"};

std::string qwen_image21_level(int level) {
  return "encoder.down_blocks." + std::to_string(level) + ".";
}

QwenVaeConfig detect_qwen_image21_vae(const WeightSource& weights) {
  QwenVaeConfig c;
  c.residual = true;
  c.base_width = std::max(1, dim(weights, kVae, "encoder.conv_in.weight", 0));
  c.in_channels = dim(weights, kVae, "encoder.conv_in.weight", 1);
  c.latent_channels = dim(weights, kVae, "decoder.conv_in.weight", 1);
  c.multipliers.clear();
  c.temporal.clear();
  const std::string conv1 = ".conv1.weight", first = "resnets.0" + conv1;
  const int levels = count_of_layers(weights, kVae, "encoder.down_blocks.", "." + first, 1);
  for (int l = 0; l < levels; ++l) {
    const std::string level = qwen_image21_level(l);
    c.multipliers.push_back(dim(weights, kVae, level + first, 0) / c.base_width);
    if (l + 1 < levels) {
      c.temporal.push_back(weights.contains(kVae, level + "downsampler.time_conv.weight"));
    }
  }
  c.layers_per_block = count_names(weights, kVae, qwen_image21_level(0) + "resnets.", conv1);
  c.decoder_width =
      dim(weights, kVae, "decoder.conv_in.weight", 0) / std::max(1, c.multipliers.back());
  add_latent_statistics(c, kQwenImage21Statistics);
  return c;
}

}  // namespace

QwenVaeConfig qwen_image21_vae_config_from_json(const json& object, const std::string& label) {
  const ConfigFields f(object, label);
  f.only("_class_name", "AutoencoderKLQwenImage21");
  QwenVaeConfig c;
  c.residual = true;
  c.base_width = f.integer("base_dim", 96);
  const bool same_widths = f.is_null("decoder_base_dim");
  c.decoder_width = f.integer("decoder_base_dim", same_widths ? c.base_width : 144);
  c.latent_channels = f.integer("z_dim", 64);
  c.multipliers = f.integers("dim_mult", {1, 2, 4, 8, 8});
  c.layers_per_block = f.integer("num_res_blocks", 2);
  c.in_channels = f.integer("in_channels", 4, 3);
  c.temporal = read_temporal_levels(f, c, {false, true, true, true});
  f.only("out_channels", c.in_channels);
  f.only("attn_scales", json::array());
  f.only("is_residual", true);
  f.only("patch_size", 1);
  read_latent_statistics(f, c, kQwenImage21Statistics);
  f.refuse_others(kQwenImage21VaeHarmless);
  return c;
}

QwenVaeConfig qwen_image21_vae_config(const WeightSource& weights) {
  require_part(weights, kVae);
  return checked_qwen_vae(weights, detect_qwen_image21_vae(weights),
                          qwen_image21_vae_config_from_json);
}

}  // namespace mantissa
