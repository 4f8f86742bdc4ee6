#include "engine/models/vae/flux2_vae.h"

#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "engine/core/error.h"
#include "engine/graph/op_check.h"
#include "engine/graph/ops.h"
#include "engine/io/config_detect.h"
#include "engine/io/config_fields.h"

namespace mantissa {

using namespace config_detect;
using nlohmann::json;

namespace {

constexpr std::int64_t kPatch = Flux2VaeConfig::kPatch, kPixels = kPatch * kPatch;

/// [b, h, w, c] -> [b, h/2, w/2, 4c].
Value to_patches(Value x) {
  const Shape s = x.shape();
  check_op(s.rank() == 4 && s[1] % kPatch == 0 && s[2] % kPatch == 0, "flux2_vae", x,
           "latents need even sides; got " + describe(x));
  const std::int64_t rows = s[0] * s[1] / kPatch, columns = s[2] / kPatch;
  const Value pixels = swap_middle(reshape(x, {rows, kPatch, columns, kPatch * s[3]}));
  const Value channels = swap_middle(reshape(pixels, {rows * columns, kPixels, s[3], 1}));
  return reshape(channels, {s[0], s[1] / kPatch, columns, kPixels * s[3]});
}

/// The inverse.
Value from_patches(Value x) {
  const Shape s = x.shape();
  const std::int64_t rows = s[0] * s[1], width = s[3] / kPixels;
  const Value pixels = swap_middle(reshape(x, {rows * s[2], width, kPixels, 1}));
  const Value lines = swap_middle(reshape(pixels, {rows, s[2], kPatch, kPatch * width}));
  return reshape(lines, {s[0], s[1] * kPatch, s[2] * kPatch, width});
}

std::vector<float> statistics(const WeightSource& weights, const std::string& name, int channels) {
  const Shape shape = weights.shape(kVae, name);
  if (shape != Shape{channels}) {
    throw Error(
        message<"'{path}': the vae's {weight} has shape {shape}, but its latents have "
                "{channels} channels">(path_to_utf8(weights.path()), name, shape.str(), channels));
  }
  std::vector<float> values(static_cast<std::size_t>(channels));
  weights.read_f32(kVae, name, values);
  return values;
}

}  // namespace

Flux2VaeConfig flux2_vae_config_from_json(const json& object, const std::string& label) {
  const ConfigFields f(object, label);
  f.only("_class_name", "AutoencoderKLFlux2");
  f.only("patch_size", {kPatch, kPatch});
  f.absent("decoder_block_out_channels");  // a smaller decoder
  // Defaults that differ from those of AutoencoderKL; the fields that it doesn't have.
  json plain = {{"block_out_channels", {128, 256, 512, 512}},
                {"layers_per_block", 2},
                {"latent_channels", 32}};
  plain.update(object);
  for (const char* key : {"patch_size", "batch_norm_eps", "batch_norm_momentum"}) {
    plain.erase(key);
  }
  plain["_class_name"] = "AutoencoderKL";
  plain["scaling_factor"] = 1.0;
  for (const auto& [key, type] : {std::pair{"down_block_types", "DownEncoderBlock2D"},
                                  std::pair{"up_block_types", "UpDecoderBlock2D"}}) {
    plain.emplace(key, std::vector<std::string>(plain["block_out_channels"].size(), type));
  }
  return {.vae = vae_config_from_json(plain, label), .norm_eps = f.number("batch_norm_eps", 1e-4)};
}

Flux2VaeConfig flux2_vae_config(const WeightSource& weights) {
  require_part(weights, kVae);
  Flux2VaeConfig c;
  if (const auto declared = weights.config(kVae)) {
    c = flux2_vae_config_from_json(*declared, source_label(weights, kVae));
  } else {
    c.vae = detected_vae_config(weights);
    c.vae.scaling_factor = 1;
    c.vae.shift_factor = 0;
  }
  check_vae_config(weights, c.vae);
  return c;
}

LatentSpace flux2_latents(const WeightSource& weights, const Flux2VaeConfig& config) {
  LatentSpace space;
  space.channels = config.channels();
  space.factor = config.factor();
  const std::vector<float> mean = statistics(weights, "bn.running_mean", space.channels);
  const std::vector<float> variance = statistics(weights, "bn.running_var", space.channels);
  for (std::size_t c = 0; c < mean.size(); ++c) {
    if (!(variance[c] >= 0) || !std::isfinite(variance[c]) || !std::isfinite(mean[c])) {
      throw Error(message<"'{path}': the statistics of latent channel {channel} are mean {mean}, "
                          "variance {variance}; the file is damaged">(
          path_to_utf8(weights.path()), c, fmt::format("{:g}", mean[c]),
          fmt::format("{:g}", variance[c])));
    }
    space.shift.push_back(mean[c]);
    space.gain.push_back(1 / std::sqrt(variance[c] + config.norm_eps));
  }
  return space;
}

Value Flux2Vae::encode(Graph& graph, Value image) const {
  // Means come first, then log variances; so do their patches.
  const Value moments = vae_.encode(graph, image);
  graph.set_path("vae.patches");
  return to_patches(moments);
}

Value Flux2Vae::decode(Graph& graph, Value latents) const {
  graph.set_path("vae.patches");
  return vae_.decode(graph, from_patches(latents));
}

}  // namespace mantissa
