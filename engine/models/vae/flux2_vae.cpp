#include "engine/models/vae/flux2_vae.h"

#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "engine/core/error.h"
#include "engine/graph/ops.h"
#include "engine/io/config_detect.h"
#include "engine/io/config_fields.h"
#include "engine/nn/tokens.h"

namespace mantissa {

using namespace config_detect;
using nlohmann::json;

namespace {

constexpr std::int64_t kPatch = Flux2VaeConfig::kPatch;

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

json to_json(const Flux2VaeConfig& c) {
  json object = to_json(c.vae);
  object["_class_name"] = "AutoencoderKLFlux2";
  object["patch_size"] = {kPatch, kPatch};
  object["batch_norm_eps"] = c.norm_eps;
  object.erase("scaling_factor");
  return object;
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

LatentSpace flux2_patches(int channels) {
  LatentSpace space;
  space.channels = channels;
  space.factor *= Flux2VaeConfig::kPatch;
  space.gain.assign(static_cast<std::size_t>(channels), 1.0);
  space.shift.assign(static_cast<std::size_t>(channels), 0.0);
  return space;
}

Value Flux2Vae::encode(Graph& graph, Value image) const {
  // Means come first, then log variances; so do their patches.
  const Value moments = vae_.encode(graph, image);
  graph.set_path("vae");
  return to_patches(moments, kPatch);
}

Value Flux2Vae::decode(Graph& graph, Value latents) const {
  graph.set_path("vae");
  return vae_.decode(graph, from_patches(latents, kPatch));
}

ModelVae flux2_model_vae(const WeightSource& source, int channels) {
  if (!source.has_part(kVae)) {
    return {flux2_patches(channels), nullptr};
  }
  const Flux2VaeConfig config = flux2_vae_config(source);
  return {flux2_latents(source, config),
          [config](const Scope& scope) { return std::make_unique<Flux2Vae>(config, scope); }};
}

}  // namespace mantissa
