#pragma once

#include <cstddef>
#include <span>

namespace mantissa {

/// Frames of an animated PNG (its acTL chunk, and the still image where that is none of them); 1
/// for any other PNG. libvips reads the still image and tells no number.
int png_frames(std::span<const std::byte> file);

/// Frames of an AVIF or HEIF image sequence: the samples of its longest track of images; 1 without
/// one. libvips counts still images alone.
int heif_frames(std::span<const std::byte> file);

}  // namespace mantissa
