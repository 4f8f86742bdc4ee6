#pragma once
// Scratch memory of ops on a device, computed from their shapes.

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace mantissa {

/// Patches of an image are written in pieces of at most this many bytes.
inline constexpr std::size_t kPatchBytes = std::size_t{256} << 20;
/// Products of codes, before they are scaled, in parts that are still in the cache when they are:
/// that of an RTX 4090, 5090 or H100 is at least twice as large.
inline constexpr std::size_t kProductBytes = std::size_t{24} << 20;

/// Rows of such a part: whole tiles of the GEMM, and no part much smaller than the others.
inline std::int64_t product_rows(std::int64_t rows, std::int64_t cols, std::size_t bytes) {
  constexpr std::int64_t kTile = 128;
  const std::int64_t row_bytes = cols * static_cast<std::int64_t>(sizeof(float));
  const auto most = std::max<std::int64_t>(1, static_cast<std::int64_t>(bytes) / row_bytes);
  if (rows <= most || most < kTile) {
    return std::min(rows, most);
  }
  const std::int64_t whole = most / kTile * kTile, parts = (rows + whole - 1) / whole;
  return ((rows + parts - 1) / parts + kTile - 1) / kTile * kTile;
}

/// Elements from one row of patches of `depth` to the next: whole packs for the GEMMs.
inline constexpr std::int64_t patch_stride(std::int64_t depth) {
  return (depth + 7) / 8 * 8;
}
/// Pixels of a piece within `bytes`, rows of `row_bytes` each.
inline std::int64_t patch_pixels(std::int64_t pixels, std::int64_t row_bytes, std::size_t bytes) {
  return std::min(pixels, std::max<std::int64_t>(1, static_cast<std::int64_t>(bytes) / row_bytes));
}

/// In bytes. Each kind is one buffer that all ops share, as large as the largest needs.
struct ScratchNeeds {
  std::size_t patches = 0;  ///< of the image
  std::size_t weight = 0;   ///< a kernel in its GEMM's layout
  /// A kernel's gradient before it is transposed back, attention before it is rounded.
  std::size_t sums = 0;
  std::size_t product = 0;  ///< of codes, before it is scaled: in 32 bits
  std::size_t turned = 0;   ///< codes of a weight, transposed
  std::size_t scores = 0;   ///< of attention without cuDNN, and their gradients

  /// Patches of `pixels` that read `depth` elements of `size` bytes each.
  void cover_patches(std::int64_t pixels, std::int64_t depth, std::int64_t size) {
    const std::int64_t row = patch_stride(depth) * size;
    const std::int64_t bytes = row * patch_pixels(pixels, row, kPatchBytes);
    patches = std::max(patches, static_cast<std::size_t>(bytes));
  }
  void cover(const ScratchNeeds& other) {
    patches = std::max(patches, other.patches);
    weight = std::max(weight, other.weight);
    sums = std::max(sums, other.sums);
    product = std::max(product, other.product);
    turned = std::max(turned, other.turned);
    scores = std::max(scores, other.scores);
  }
  ScratchNeeds with(ScratchNeeds other) const {
    other.cover(*this);
    return other;
  }
  std::size_t bytes() const { return patches + weight + sums + product + turned + scores; }
};

}  // namespace mantissa
