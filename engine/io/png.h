#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>

namespace mantissa {

/// An 8-bit RGB PNG with text chunks, as a file holds it. Pixels are [height, width, 3]; there must
/// be as many as the sides say.
std::string png_bytes(std::span<const std::uint8_t> pixels, int width, int height,
                      const std::map<std::string, std::string>& text = {});

}  // namespace mantissa
