#pragma once

#include <array>
#include <string_view>

#include "engine/io/model_variant.h"

namespace mantissa {

class WeightSource;

/// Those that edit with references, the newest first.
inline constexpr std::array<std::string_view, 3> kQwenImageEdits{"Edit 2511", "Edit 2509", "Edit"};

/// 2512 and the first model have the same network, and neither is distilled. Lightning, which its
/// name tells, is Qwen-Image with an adapter for a few steps merged into it. Models that edit are
/// told by their name too.
ModelVariant qwen_image_variant(const WeightSource& source);

}  // namespace mantissa
