#include "engine/train/settled_latents.h"

#include <algorithm>

#include "engine/programs/latent_scale.h"

namespace mantissa {
namespace {

/// Number of images for measuring the latents' scale: the means of 256 of 128 px have 65,536
/// positions.
constexpr std::size_t kMeasuredImages = 256;

/// Whether a weight affects latents. If only the decoder is trained, they don't change.
bool makes_latents(const TrainedWeight& weight) {
  return weight.path.starts_with("vae.encoder.") || weight.path.starts_with("vae.quant_conv.");
}

/// Latents of the data set with the written weights.
LatentStatistics measure_latents(const RunParts& parts, TrainingState& state) {
  LatentMeter meter;
  state.with_averages([&] {
    LatentEncoder encoder(parts.kernels, parts.model, parts.arena);
    const EncodedDataset& data = *parts.plan.data;
    const std::size_t images = data.images().dataset().items.size();
    const std::size_t count = std::min(images, kMeasuredImages);
    for (std::size_t i = 0; i < count; ++i) {
      meter.add(encoder.encode(data.plain_image(i * images / count)));
    }
  });
  return meter.result();
}

}  // namespace

std::map<std::string, std::vector<float>> settled_latents(const RunParts& parts,
                                                          TrainingState& state,
                                                          const FlatValues& flat) {
  const auto& weights = parts.adapters.weights();
  if (!trains_vae(parts.preset()) || std::none_of(weights.begin(), weights.end(), makes_latents)) {
    return {};
  }
  const VaeConfig& config = parts.model.vae_config();
  if (!config.quant_conv || !config.post_quant_conv) {
    return {};  // nothing that could take the scale: it stays as trained
  }
  const auto values = [&](const std::string& name) {
    const std::string path = "vae." + name;
    const auto trained = std::find_if(weights.begin(), weights.end(),
                                      [&](const TrainedWeight& w) { return w.path == path; });
    return trained != weights.end() ? parts.adapters.weight_values(*trained, flat)
                                    : parts.model.weights().values(path);
  };
  LatentBorder border{values("quant_conv.weight"), values("quant_conv.bias"),
                      values("post_quant_conv.weight"), values("post_quant_conv.bias")};
  settle_scale(border, measure_latents(parts, state), config.scaling_factor, config.shift_factor);
  return {{"quant_conv.weight", std::move(border.quant_weight)},
          {"quant_conv.bias", std::move(border.quant_bias)},
          {"post_quant_conv.weight", std::move(border.post_weight)},
          {"post_quant_conv.bias", std::move(border.post_bias)}};
}

}  // namespace mantissa
