#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "engine/io/image.h"

namespace mantissa {

/// The header of a Windows bitmap: uncompressed, with 1, 4, 8, 24 or 32 bits per pixel.
struct BmpHeader {
  int width = 0, height = 0;
  bool top_down = false;
  int bits = 0;
  std::size_t pixels = 0;   ///< offset of the rows
  std::size_t palette = 0;  ///< offset of the colours, 4 bytes each (3 in the oldest form)
  int palette_size = 0, palette_step = 4;
  std::uint32_t masks[4] = {0, 0, 0, 0};  ///< red, green, blue, alpha; 16 and 32 bits
};

/// Throws ImageError naming `label` for damaged headers and for compressed bitmaps.
BmpHeader read_bmp_header(std::span<const std::byte> bytes, const std::string& label);
Image decode_bmp(std::span<const std::byte> bytes, const std::string& label,
                 const ImageOptions& options);

}  // namespace mantissa
