#pragma once

#include <compare>
#include <cstdint>

namespace mantissa {

/// Sides of an image's latents.
struct LatentSize {
  std::int64_t height = 0, width = 0;
  std::int64_t positions() const { return height * width; }
  auto operator<=>(const LatentSize&) const = default;
};

}  // namespace mantissa
