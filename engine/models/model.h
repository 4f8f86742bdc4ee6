#pragma once
// defines: SdxlModel, micro_conditioning

#include <array>
#include <memory>
#include <optional>
#include <span>

#include "engine/models/clip_text.h"
#include "engine/models/sdxl_unet.h"
#include "engine/models/vae.h"

namespace mantissa {

/// A base model: configs at once, networks bound (and their weights loaded) when first asked for.
class SdxlModel {
 public:
  /// `adapters` may be null; it must outlive the model. Throws Error if the configs don't fit
  /// together (context and pooled widths).
  SdxlModel(Kernels& kernels, const WeightSource& source, AdapterSet* adapters = nullptr,
            const PrecisionRules& rules = {});
  /// Loads no weights: for `check`, which records and plans but doesn't run.
  static SdxlModel planning(const WeightSource& source, AdapterSet* adapters = nullptr,
                            const PrecisionRules& rules = {});

  const WeightSource& source() const { return source_; }
  bool has(ModelPart part) const { return source_.has_part(part); }
  const UnetConfig& unet_config() const { return unet_config_; }
  /// Only where has(part).
  const ClipConfig& te1_config() const { return te1_config_; }
  const ClipConfig& te2_config() const { return te2_config_; }
  const VaeConfig& vae_config() const { return vae_config_; }

  SdxlUnet& unet();
  ClipText& te1();
  ClipText& te2();
  Vae& vae();
  /// Binds the parts in the order unet, te1, te2, so that adapters have the same order and the same
  /// initial values every time; call AdapterSet::finalize afterwards.
  void bind(std::span<const Part> parts);
  /// Frees a network and its weights. Graphs recorded from it must be gone.
  void release(ModelPart part);

  WeightStore& weights() { return weights_; }
  AdapterSet* adapters() const { return adapters_; }
  const PrecisionRules& rules() const { return rules_; }
  /// What delayed FP8 scaling has seen; empty of layers where it isn't used.
  Fp8Scales& fp8_scales() { return *fp8_scales_; }

 private:
  SdxlModel(WeightStore weights, const WeightSource& source, AdapterSet* adapters, Kernels* kernels,
            const PrecisionRules& rules);
  Scope scope(ModelPart part);
  ClipText& text(ModelPart part, std::unique_ptr<ClipText>& slot, const ClipConfig& config);

  WeightSource source_;
  WeightStore weights_;
  AdapterSet* adapters_;
  PrecisionRules rules_;
  std::unique_ptr<Fp8Scales> fp8_scales_;
  UnetConfig unet_config_;
  ClipConfig te1_config_, te2_config_;
  VaeConfig vae_config_;
  std::unique_ptr<SdxlUnet> unet_;
  std::unique_ptr<ClipText> te1_, te2_;
  std::unique_ptr<Vae> vae_;
};

/// The six numbers SDXL is told about an image, in pixels.
std::array<float, 6> micro_conditioning(int original_height, int original_width, int crop_top,
                                        int crop_left, int target_height, int target_width);

}  // namespace mantissa
