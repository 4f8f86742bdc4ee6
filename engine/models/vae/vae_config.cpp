#include "engine/models/vae/vae_config.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

#include "engine/core/error.h"
#include "engine/io/config_detect.h"
#include "engine/io/config_fields.h"

namespace mantissa {

using namespace config_detect;
using nlohmann::json;

namespace {

/// `force_upcast` requests FP32 instead of FP16, which the precision plan handles; `sample_size` is
/// that of tiles.
constexpr std::array<std::string_view, 2> kVaeHarmless{"force_upcast", "sample_size"};

void read_latent_statistics(const ConfigFields& f, VaeConfig& c) {
  const auto channels = static_cast<std::size_t>(c.latent_channels);
  c.latents_mean = f.numbers("latents_mean", channels);
  c.latents_std = f.numbers("latents_std", channels);
  if (c.latents_mean.empty() != c.latents_std.empty()) {
    f.fail(c.latents_mean.empty() ? "latents_mean" : "latents_std",
           message<"is missing; latents_mean and latents_std belong together">());
  }
  if (c.shift_factor != 0 && !c.latents_mean.empty()) {
    f.fail("shift_factor", message<"is {found}, but latents_mean is set too; remove one of them">(
                               json(c.shift_factor).dump()));
  }
  if (std::any_of(c.latents_std.begin(), c.latents_std.end(), [](double x) { return x <= 0; })) {
    f.fail("latents_std",
           message<"must hold positive numbers, it is {found}">(json(c.latents_std).dump()));
  }
}

double read_shift(const ConfigFields& f) {
  const json* value = f.find("shift_factor");
  if (value == nullptr) {
    return 0;
  }
  if (!value->is_number() || !std::isfinite(value->get<double>())) {
    f.fail("shift_factor", message<"must be a number, it is {found}">(value->dump()));
  }
  return value->get<double>();
}

}  // namespace

VaeConfig detected_vae_config(const WeightSource& weights) {
  const Part part = kVae;
  VaeConfig c;
  c.in_channels = dim(weights, part, "encoder.conv_in.weight", 1);
  c.out_channels = dim(weights, part, "decoder.conv_out.weight", 0);
  c.latent_channels = dim(weights, part, "decoder.conv_in.weight", 1);
  c.quant_conv = weights.contains(part, "quant_conv.weight");
  c.post_quant_conv = weights.contains(part, "post_quant_conv.weight");
  const int levels = count_names(weights, part, "encoder.down_blocks.", ".resnets.0.conv1.weight");
  for (int level = 0; level < levels; ++level) {
    c.block_out_channels.push_back(
        dim(weights, part,
            "encoder.down_blocks." + std::to_string(level) + ".resnets.0.conv1.weight", 0));
  }
  if (levels == 0) {
    throw Error(message<"'{path}': vae has no encoder.down_blocks.0; the VAE is incomplete">(
        path_to_utf8(weights.path())));
  }
  c.layers_per_block =
      count_names(weights, part, "encoder.down_blocks.0.resnets.", ".conv1.weight");
  c.norm_num_groups = usual_groups(c.block_out_channels);
  c.mid_attention = weights.contains(part, "encoder.mid_block.attentions.0.to_q.weight");
  c.scaling_factor = weights.family().latent_scale;
  c.shift_factor = weights.family().latent_shift;
  return c;
}

VaeConfig vae_config_from_json(const json& object, const std::string& label) {
  const ConfigFields f(object, label);
  f.only("_class_name", "AutoencoderKL");
  f.one_of("act_fn", "silu", {"silu", "swish"});
  VaeConfig c;
  c.quant_conv = f.boolean("use_quant_conv", true);
  c.post_quant_conv = f.boolean("use_post_quant_conv", true);
  c.in_channels = f.integer("in_channels", 3);
  c.out_channels = f.integer("out_channels", 3);
  c.latent_channels = f.integer("latent_channels", 4);
  c.block_out_channels = f.integers("block_out_channels", {64});
  c.layers_per_block = f.integer("layers_per_block", 1);
  c.norm_num_groups = f.integer("norm_num_groups", 32);
  c.scaling_factor = f.number("scaling_factor", 0.18215);
  c.shift_factor = read_shift(f);
  c.mid_attention = f.boolean("mid_block_add_attention", true);
  read_latent_statistics(f, c);
  for (const auto& [key, type] : {std::pair{"down_block_types", "DownEncoderBlock2D"},
                                  std::pair{"up_block_types", "UpDecoderBlock2D"}}) {
    const std::size_t levels = c.block_out_channels.size();
    const auto types = f.texts(key, std::vector<std::string>(levels, type));
    if (types != std::vector<std::string>(levels, type)) {
      f.fail(key, message<"must hold {type} once a level ({levels} levels)">(type, levels));
    }
  }
  f.refuse_others(kVaeHarmless);
  f.divisible("norm_num_groups", c.block_out_channels, {c.norm_num_groups}, message<"groups">());
  return c;
}

void check_vae_config(const WeightSource& weights, const VaeConfig& c) {
  const Part part = kVae;
  const VaeConfig found = detected_vae_config(weights);
  same(weights, part, "in_channels", c.in_channels, found.in_channels);
  same(weights, part, "out_channels", c.out_channels, found.out_channels);
  same(weights, part, "latent_channels", c.latent_channels, found.latent_channels);
  same(weights, part, "block_out_channels", c.block_out_channels, found.block_out_channels);
  same(weights, part, "layers_per_block", c.layers_per_block, found.layers_per_block);
  same(weights, part, "mid_block_add_attention", c.mid_attention, found.mid_attention);
  same(weights, part, "use_quant_conv", c.quant_conv, found.quant_conv);
  same(weights, part, "use_post_quant_conv", c.post_quant_conv, found.post_quant_conv);
  if (c.shift_factor != 0 && weights.has_part(kDenoiser) && weights.family().latent_shift == 0) {
    throw Error(message<"{file}: field 'shift_factor' is {found}, which the pipelines of this "
                        "family pass over. Remove it, or set it to 0">(
        source_label(weights, part), json(c.shift_factor).dump()));
  }
  if (!c.latents_mean.empty() && weights.has_part(kDenoiser) &&
      !weights.family().latent_statistics) {
    throw Error(
        message<"{file}: field 'latents_mean' is set, which the pipelines of this family pass "
                "over, so that nobody can tell what the model was trained with. Remove "
                "latents_mean and latents_std">(source_label(weights, part)));
  }
}

VaeConfig vae_config(const WeightSource& weights) {
  require_part(weights, kVae);
  const auto declared = weights.config(kVae);
  const VaeConfig c = declared ? vae_config_from_json(*declared, source_label(weights, kVae))
                               : detected_vae_config(weights);
  check_vae_config(weights, c);
  return c;
}

json to_json(const VaeConfig& c) {
  const std::size_t levels = c.block_out_channels.size();
  json object{{"_class_name", "AutoencoderKL"},
              {"act_fn", "silu"},
              {"in_channels", c.in_channels},
              {"out_channels", c.out_channels},
              {"latent_channels", c.latent_channels},
              {"block_out_channels", c.block_out_channels},
              {"layers_per_block", c.layers_per_block},
              {"down_block_types", std::vector<std::string>(levels, "DownEncoderBlock2D")},
              {"up_block_types", std::vector<std::string>(levels, "UpDecoderBlock2D")},
              {"norm_num_groups", c.norm_num_groups},
              {"scaling_factor", c.scaling_factor},
              {"use_quant_conv", c.quant_conv},
              {"use_post_quant_conv", c.post_quant_conv},
              {"mid_block_add_attention", c.mid_attention}};
  if (c.shift_factor != 0) {
    object["shift_factor"] = c.shift_factor;
  }
  if (!c.latents_mean.empty()) {
    object["latents_mean"] = c.latents_mean;
    object["latents_std"] = c.latents_std;
  }
  return object;
}

}  // namespace mantissa
