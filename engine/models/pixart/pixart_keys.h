#pragma once
// Names of the original PixArt-alpha and PixArt-Sigma checkpoints, mapped to those of diffusers.

#include <optional>
#include <string_view>

#include "engine/io/model_names.h"

namespace mantissa {

/// Names present in every PixArt transformer in diffusers' naming, and in no other supported model.
inline constexpr std::string_view kPixartMark = "adaln_single.linear.weight";

/// Whether this tensor name identifies an original PixArt checkpoint.
bool is_original_pixart(std::string_view name);
/// From a name in an original PixArt checkpoint to diffusers names.
std::optional<NameMapping> pixart_to_diffusers(std::string_view name);

}  // namespace mantissa
