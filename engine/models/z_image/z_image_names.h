#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "engine/io/family.h"
#include "engine/io/model_names.h"

namespace mantissa {

/// Functions of Z-Image's family definition (engine/io/family.h).
std::shared_ptr<const ModelNames> recognise_z_image(const ModelFiles& files);
std::string_view z_image_naming(std::span<const TensorInfo> tensors);
OriginalName z_image_original_names(const ModelContents& model);

/// Prefixes of ComfyUI's files that hold every part.
inline constexpr std::string_view kZImageTextPrefix = "text_encoders.qwen3_4b.transformer.";
inline constexpr std::string_view kZImageVaePrefix = "vae.";

}  // namespace mantissa
