#pragma once
// The format of presets, and what a text may hold at most.

#include <cstddef>

#include "engine/core/text_bounds.h"

namespace mantissa {

inline constexpr int kPresetFormat = 2;
inline constexpr std::size_t kPresetMaxBytes = std::size_t{1} << 20;
inline constexpr int kPresetMaxDepth = 32;
inline constexpr int kPresetMaxValues = 10000;
inline constexpr std::size_t kPresetMaxString = std::size_t{64} << 10;
/// Bounds on text that a parser hasn't read yet.
inline constexpr TextBounds kPresetBounds{
    .bytes = kPresetMaxBytes, .depth = kPresetMaxDepth, .values = kPresetMaxValues};

}  // namespace mantissa
