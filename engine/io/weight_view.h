#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "kernels/dtype.h"
#include "kernels/view.h"

namespace mantissa {

struct BlockScales;

/// A weight as stored in its file. `shape` is the canonical shape; a slice of a fused tensor is
/// just a pointer; only a transposed matrix, or one with its halves exchanged, needs conversion.
struct WeightView {
  DType dtype = DType::f32;
  Shape shape;
  const std::byte* data = nullptr;
  bool transposed = false;  ///< the bytes hold shape[1] x shape[0]
  bool swapped = false;     ///< the bytes hold the second half of the rows first
  int frames = 1;           ///< the bytes hold so many times shape[-2] x shape[-1]; the last counts
  /// Scales of FP8 and INT8 codes: value = code · scale, one for all or one for each row of the
  /// bytes. Empty: the bytes are values.
  std::span<const float> scales{};
  /// Not 0: these values are rotated, so many columns at a time (rotation.h); `dtype` is
  /// i8_rotated if that many can be kept.
  int rotation = 0;
  /// Scales of the whole tensor in the file, of NF4, MXFP8 and NVFP4, whose bytes are codes.
  const BlockScales* block_scales = nullptr;
  std::int64_t first = 0;  ///< place of the first value there, a whole number of blocks

  /// Whether the bytes are elements or codes, in the weight's order.
  bool straight() const {
    const bool kept_rotated = dtype == DType::i8_rotated || rotation == 0;
    return !transposed && !swapped && frames == 1 && kept_rotated;
  }
  /// Values that the bytes hold.
  std::int64_t stored() const { return shape.count() * frames; }
  std::size_t bytes() const;
};

}  // namespace mantissa
