#pragma once
// Recognition and weight names of SDXL, SD 1.5 and 2.x files.

#include <memory>

#include "engine/io/family.h"
#include "engine/io/model_writer.h"
#include "engine/models/stable_diffusion/unet_keys.h"

namespace mantissa {

/// Prefixes of parts in a single file. The text encoder of SD 1.5 has HF's names after its prefix,
/// that of SD 2.x OpenCLIP's.
inline constexpr std::string_view kUnetPrefix = "model.diffusion_model.",
                                  kVaePrefix = "first_stage_model.",
                                  kSdxlTe1Prefix = "conditioner.embedders.0.transformer.",
                                  kSdxlTe2Prefix = "conditioner.embedders.1.model.",
                                  kSdTextPrefix = "cond_stage_model.",
                                  kSd15TextPrefix = "cond_stage_model.transformer.",
                                  kSd2TextPrefix = "cond_stage_model.model.";

/// The names of a model with this UNet and this many levels in its VAE.
std::shared_ptr<const ModelNames> sd_names(const Family& family, const UnetLayout& layout,
                                           int vae_levels);

/// Family::recognise. SDXL has a UNet conditioned on sizes, or a second text encoder; SD 1.5 and
/// 2.x are what no other family recognised.
std::shared_ptr<const ModelNames> recognise_sdxl(const Family& sdxl, const ModelFiles& files);
std::shared_ptr<const ModelNames> recognise_sd15(const Family& sd15, const ModelFiles& files);
/// Family::naming.
std::string_view sdxl_naming(std::span<const TensorInfo> tensors);
std::string_view sd15_naming(std::span<const TensorInfo> tensors);

/// Family::complete, original_names and to_folder.
void complete_sd(ModelContents& model, const WeightSource& source);
OriginalName sd_original_names(const ModelContents& model);
void sd_to_folder(ModelContents& model);

}  // namespace mantissa
