#include "engine/models/vae/qwen_vae_config.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "engine/io/config_detect.h"
#include "engine/io/config_fields.h"

namespace mantissa {

using namespace config_detect;
using nlohmann::json;

namespace {

/// Of the released autoencoder's latents: the defaults of diffusers, as its original file has none.
constexpr std::array kQwenMean{-0.7571, -0.7089, -0.9113, 0.1075,  -0.1745, 0.9653,
                               -0.1517, 1.5508,  0.4134,  -0.0715, 0.5517,  -0.3632,
                               -0.1922, -0.9497, 0.2503,  -0.2921};
constexpr std::array kQwenStd{2.8184, 1.4541, 2.3275, 2.6558, 1.2196, 1.7708, 2.6052, 2.0743,
                              3.2687, 2.1526, 2.8652, 1.5579, 1.6382, 1.1253, 2.8251, 1.9160};

constexpr std::array<std::string_view, 1> kQwenVaeHarmless{"dropout"};

constexpr UsualLatents kQwenStatistics{kQwenMean, kQwenStd};

}  // namespace

void add_latent_statistics(QwenVaeConfig& c, const UsualLatents& usual) {
  if (c.latent_channels == static_cast<int>(usual.mean.size())) {
    c.latents_mean.assign(usual.mean.begin(), usual.mean.end());
    c.latents_std.assign(usual.deviation.begin(), usual.deviation.end());
  }
}

void read_latent_statistics(const ConfigFields& f, QwenVaeConfig& c, const UsualLatents& usual) {
  add_latent_statistics(c, usual);
  const auto channels = static_cast<std::size_t>(c.latent_channels);
  for (const auto& [key, list] :
       {std::pair{"latents_mean", &c.latents_mean}, std::pair{"latents_std", &c.latents_std}}) {
    if (std::vector<double> given = f.numbers(key, channels); !given.empty()) {
      *list = std::move(given);
    } else if (list->empty()) {
      f.fail(key, message<"is missing">());
    }
  }
  if (std::any_of(c.latents_std.begin(), c.latents_std.end(), [](double x) { return x <= 0; })) {
    f.fail("latents_std",
           message<"must hold positive numbers, it is {found}">(json(c.latents_std).dump()));
  }
}

std::vector<bool> read_temporal_levels(const ConfigFields& f, const QwenVaeConfig& c,
                                       const std::vector<bool>& usual) {
  constexpr const char* kKey = "temperal_downsample";
  const auto count = static_cast<std::size_t>(c.levels() - 1);
  const json* value = f.find(kKey);
  const json list = value != nullptr ? *value : json(usual);
  const bool flags = list.is_array() && std::all_of(list.begin(), list.end(),
                                                    [](const json& x) { return x.is_boolean(); });
  if (!flags || list.size() != count) {
    f.fail(kKey, message<"must hold true or false for each of the {count} levels but the last, it "
                         "is {found}">(count, ConfigFields::start_of(list)));
  }
  return list.get<std::vector<bool>>();
}

QwenVaeConfig checked_qwen_vae(const WeightSource& weights, const QwenVaeConfig& found,
                               QwenVaeConfig (*from_json)(const json&, const std::string&)) {
  QwenVaeConfig c = declared_or(found, weights, kVae, from_json);
  same(weights, kVae, "base_dim", c.base_width, found.base_width);
  same(weights, kVae, "decoder_base_dim", c.decoder_width, found.decoder_width);
  same(weights, kVae, "z_dim", c.latent_channels, found.latent_channels);
  same(weights, kVae, "dim_mult", c.multipliers, found.multipliers);
  same(weights, kVae, "num_res_blocks", c.layers_per_block, found.layers_per_block);
  same(weights, kVae, c.residual ? "in_channels" : "input_channels", c.in_channels,
       found.in_channels);
  same(weights, kVae, "temperal_downsample", c.temporal, found.temporal);
  if (c.latents_mean.empty()) {
    throw Error(message<"'{path}': nothing tells mean and deviation of the vae's {channels} latent "
                        "channels; use the VAE's diffusers folder, with its config.json">(
        path_to_utf8(weights.path()), c.latent_channels));
  }
  return c;
}

namespace {

std::string qwen_down_block(int i) {
  return "encoder.down_blocks." + std::to_string(i) + ".";
}

/// Levels by what the encoder's list of blocks holds: residual blocks, then a sampler.
void detect_qwen_levels(const WeightSource& weights, QwenVaeConfig& c) {
  c.multipliers.clear();
  c.temporal.clear();
  c.layers_per_block = 0;
  int blocks = 0, width = 0;
  const auto end_level = [&] {
    c.multipliers.push_back(width / c.base_width);
    c.layers_per_block = std::max(c.layers_per_block, blocks);
    blocks = 0;
  };
  for (int i = 0;; ++i) {
    const std::string block = qwen_down_block(i);
    if (weights.contains(kVae, block + "conv1.weight")) {
      width = dim(weights, kVae, block + "conv1.weight", 0);
      ++blocks;
    } else if (weights.contains(kVae, block + "resample.1.weight")) {
      c.temporal.push_back(weights.contains(kVae, block + "time_conv.weight"));
      end_level();
    } else {
      break;
    }
  }
  if (blocks == 0) {
    throw Error(message<"'{path}': vae has no encoder.down_blocks.0; the VAE is incomplete">(
        path_to_utf8(weights.path())));
  }
  end_level();
}

QwenVaeConfig detect_qwen_vae(const WeightSource& weights) {
  QwenVaeConfig c;
  c.base_width = std::max(1, dim(weights, kVae, "encoder.conv_in.weight", 0));
  c.decoder_width = c.base_width;
  c.in_channels = dim(weights, kVae, "encoder.conv_in.weight", 1);
  c.latent_channels = dim(weights, kVae, "decoder.conv_in.weight", 1);
  detect_qwen_levels(weights, c);
  add_latent_statistics(c, kQwenStatistics);
  return c;
}

}  // namespace

QwenVaeConfig qwen_vae_config_from_json(const json& object, const std::string& label) {
  const ConfigFields f(object, label);
  f.only("_class_name", "AutoencoderKLQwenImage");
  QwenVaeConfig c;
  c.base_width = c.decoder_width = f.integer("base_dim", 96);
  c.latent_channels = f.integer("z_dim", 16);
  c.multipliers = f.integers("dim_mult", {1, 2, 4, 4});
  c.layers_per_block = f.integer("num_res_blocks", 2);
  c.in_channels = f.integer("input_channels", 3);
  c.temporal = read_temporal_levels(f, c, {false, true, true});
  f.only("attn_scales", json::array());
  read_latent_statistics(f, c, kQwenStatistics);
  f.refuse_others(kQwenVaeHarmless);
  return c;
}

QwenVaeConfig qwen_vae_config(const WeightSource& weights) {
  require_part(weights, kVae);
  return checked_qwen_vae(weights, detect_qwen_vae(weights), qwen_vae_config_from_json);
}

json to_json(const QwenVaeConfig& c) {
  json object{{"base_dim", c.base_width},       {"z_dim", c.latent_channels},
              {"dim_mult", c.multipliers},      {"num_res_blocks", c.layers_per_block},
              {"attn_scales", json::array()},   {"temperal_downsample", c.temporal},
              {"latents_mean", c.latents_mean}, {"latents_std", c.latents_std}};
  if (c.residual) {
    object.update({{"_class_name", "AutoencoderKLQwenImage21"},
                   {"decoder_base_dim", c.decoder_width},
                   {"is_residual", true},
                   {"in_channels", c.in_channels},
                   {"out_channels", c.in_channels}});
  } else {
    object.update({{"_class_name", "AutoencoderKLQwenImage"}, {"input_channels", c.in_channels}});
  }
  return object;
}

LatentSpace qwen_latents(const QwenVaeConfig& c) {
  LatentSpace space;
  space.channels = c.latent_channels;
  space.factor = c.factor();
  space.shift = c.latents_mean;
  for (const double deviation : c.latents_std) {
    space.gain.push_back(1 / deviation);
  }
  return space;
}

LatentSpace plain_qwen_latents(int channels, int factor) {
  QwenVaeConfig vae;
  vae.latent_channels = channels;
  vae.latents_mean.assign(static_cast<std::size_t>(channels), 0.0);
  vae.latents_std.assign(static_cast<std::size_t>(channels), 1.0);
  LatentSpace space = qwen_latents(vae);
  space.factor = factor;
  return space;
}

}  // namespace mantissa
