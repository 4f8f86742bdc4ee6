// Trainer: what only a run that trains the VAE does.
#include <algorithm>

#include "engine/train/latent_scale.h"
#include "engine/train/trainer.h"

namespace mantissa {
namespace {

/// Pictures that the latents' scale is measured on: the means of 256 of 128 px have 65,536
/// positions.
constexpr std::size_t kMeasuredPictures = 256;
constexpr std::size_t kShownPictures = 4;

/// Whether a weight has a say in what latents are. Where only the decoder learns, they stay.
bool makes_latents(const TrainedWeight& weight) {
  return weight.path.starts_with("vae.encoder.") || weight.path.starts_with("vae.quant_conv.");
}

}  // namespace

LatentStatistics Trainer::measure_latents() {
  std::vector<DeviceArray> current;
  for (std::size_t i = 0; i < ema_.size(); ++i) {
    const View& parameters = groups_[i].parameters;
    kernels_->copy(parameters,
                   current.emplace_back(*kernels_, parameters.shape, parameters.dtype).view());
    kernels_->copy(ema_[i].view(), parameters);
  }
  const auto restore = [&] {
    for (std::size_t i = 0; i < current.size(); ++i) {
      kernels_->copy(current[i].view(), groups_[i].parameters);
    }
  };
  LatentMeter meter;
  try {
    LatentEncoder encoder(*kernels_, *model_, *arena_);
    const std::size_t pictures = data_->dataset().items.size();
    const std::size_t count = std::min(pictures, kMeasuredPictures);
    for (std::size_t i = 0; i < count; ++i) {
      meter.add(encoder.encode(data_->picture(i * pictures / count)));
    }
  } catch (...) {
    restore();
    throw;
  }
  restore();
  return meter.result();
}

std::map<std::string, std::vector<float>> Trainer::settled_latents(
    const std::map<Part, View>& flat) {
  const auto& weights = adapters_->weights();
  if (!trains_vae(job_.preset) || std::none_of(weights.begin(), weights.end(), makes_latents)) {
    return {};
  }
  const auto values = [&](const std::string& name) {
    const std::string path = "vae." + name;
    const auto trained = std::find_if(weights.begin(), weights.end(),
                                      [&](const TrainedWeight& w) { return w.path == path; });
    return trained != weights.end() ? adapters_->weight_values(*trained, flat)
                                    : model_->weights().values(path);
  };
  LatentBorder border{values("quant_conv.weight"), values("quant_conv.bias"),
                      values("post_quant_conv.weight"), values("post_quant_conv.bias")};
  settle_scale(border, measure_latents(), model_->vae_config().scaling_factor);
  return {{"quant_conv.weight", std::move(border.quant_weight)},
          {"quant_conv.bias", std::move(border.quant_bias)},
          {"post_quant_conv.weight", std::move(border.post_weight)},
          {"post_quant_conv.bias", std::move(border.post_bias)}};
}

void Trainer::render_reconstructions() {
  if (!reconstructor_) {
    reconstructor_ = std::make_unique<Reconstructor>(*kernels_, *arena_, *model_);
  }
  const std::size_t count = std::min(data_->dataset().items.size(), kShownPictures);
  for (std::size_t i = 0; i < count; ++i) {
    keep_sample(reconstructor_->beside(data_->picture(i)), i, data_->dataset().items[i].name, {});
  }
}

}  // namespace mantissa
