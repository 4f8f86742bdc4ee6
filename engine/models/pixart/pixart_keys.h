#pragma once
// Names of the original PixArt-alpha and PixArt-Sigma checkpoints against those of diffusers.

#include <optional>
#include <string_view>

#include "engine/io/model_names.h"

namespace mantissa {

/// What every PixArt transformer has under diffusers' names, and no other model here.
inline constexpr std::string_view kPixartMark = "adaln_single.linear.weight";

/// Does this tensor name tell an original PixArt checkpoint?
bool is_original_pixart(std::string_view name);
/// Name in an original PixArt checkpoint to diffusers names.
std::optional<NameMapping> pixart_to_diffusers(std::string_view name);

}  // namespace mantissa
