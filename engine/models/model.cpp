#include "engine/models/model.h"

#include <algorithm>

#include "engine/core/error.h"
#include "engine/core/paths.h"

namespace mantissa {

SdxlModel::SdxlModel(WeightStore weights, const WeightSource& source, AdapterSet* adapters,
                     Kernels* kernels, const PrecisionRules& rules)
    : source_(source),
      weights_(std::move(weights)),
      adapters_(adapters),
      rules_(rules),
      fp8_scales_(std::make_unique<Fp8Scales>(kernels)),
      unet_config_(mantissa::unet_config(source)) {
  if (has(ModelPart::te1)) {
    te1_config_ = clip_config(source, ModelPart::te1);
  }
  if (has(ModelPart::te2)) {
    te2_config_ = clip_config(source, ModelPart::te2);
  }
  if (has(ModelPart::vae)) {
    vae_config_ = mantissa::vae_config(source);
  }
  if (has(ModelPart::te1) && has(ModelPart::te2)) {
    const int context = te1_config_.hidden + te2_config_.hidden;
    const std::string name = path_to_utf8(source.path());
    if (context != unet_config_.cross_attention_dim) {
      throw Error(name + ": the text encoders give " + std::to_string(context) +
                  " values a token, but the UNet takes " +
                  std::to_string(unet_config_.cross_attention_dim) +
                  "; are they parts of one model?");
    }
    if (unet_config_.addition_time_embed_dim > 0 &&
        te2_config_.projection_dim != unet_config_.pooled_dim()) {
      throw Error(name + ": the second text encoder's pooled vector has " +
                  std::to_string(te2_config_.projection_dim) + " values, but the UNet takes " +
                  std::to_string(unet_config_.pooled_dim()) + "; are they parts of one model?");
    }
  }
}

SdxlModel::SdxlModel(Kernels& kernels, const WeightSource& source, AdapterSet* adapters,
                     const PrecisionRules& rules)
    : SdxlModel(WeightStore(kernels, source), source, adapters, &kernels, rules) {}

SdxlModel SdxlModel::planning(const WeightSource& source, AdapterSet* adapters,
                              const PrecisionRules& rules) {
  return {WeightStore::planning(source), source, adapters, nullptr, rules};
}

Scope SdxlModel::scope(ModelPart part) {
  return {weights_, part == ModelPart::vae ? nullptr : adapters_, part, &rules_, fp8_scales_.get()};
}

SdxlUnet& SdxlModel::unet() {
  if (!unet_) {
    unet_ = std::make_unique<SdxlUnet>(unet_config_, scope(ModelPart::unet));
  }
  return *unet_;
}

ClipText& SdxlModel::text(ModelPart part, std::unique_ptr<ClipText>& slot,
                          const ClipConfig& config) {
  if (!slot) {
    if (!has(part)) {
      throw Error(path_to_utf8(source_.path()) + " holds no " + std::string(part_folder(part)) +
                  "; use a complete base model");
    }
    slot = std::make_unique<ClipText>(config, scope(part));
  }
  return *slot;
}

ClipText& SdxlModel::te1() {
  return text(ModelPart::te1, te1_, te1_config_);
}

ClipText& SdxlModel::te2() {
  return text(ModelPart::te2, te2_, te2_config_);
}

Vae& SdxlModel::vae() {
  if (!vae_) {
    if (!has(ModelPart::vae)) {
      throw Error(path_to_utf8(source_.path()) + " holds no vae; use a complete base model");
    }
    vae_ = std::make_unique<Vae>(vae_config_, scope(ModelPart::vae));
  }
  return *vae_;
}

void SdxlModel::bind(std::span<const Part> parts) {
  const auto wanted = [&](Part part) {
    return std::find(parts.begin(), parts.end(), part) != parts.end();
  };
  if (wanted(Part::unet)) {
    unet();
  }
  if (wanted(Part::te1)) {
    te1();
  }
  if (wanted(Part::te2)) {
    te2();
  }
}

void SdxlModel::release(ModelPart part) {
  switch (part) {
    case ModelPart::unet:
      unet_.reset();
      break;
    case ModelPart::te1:
      te1_.reset();
      break;
    case ModelPart::te2:
      te2_.reset();
      break;
    case ModelPart::vae:
      vae_.reset();
      break;
  }
  weights_.release(part);
}

std::array<float, 6> micro_conditioning(int original_height, int original_width, int crop_top,
                                        int crop_left, int target_height, int target_width) {
  return {static_cast<float>(original_height), static_cast<float>(original_width),
          static_cast<float>(crop_top),        static_cast<float>(crop_left),
          static_cast<float>(target_height),   static_cast<float>(target_width)};
}

}  // namespace mantissa
