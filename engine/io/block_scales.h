#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/io/weights.h"
#include "kernels/dtype.h"

namespace mantissa {

/// The scales that a file keeps apart from a tensor's codes, as they lie in memory behind them
/// (nf4.h, block_codes.h).
struct BlockScales {
  DType dtype = DType::nf4;  ///< nf4, nf4_fp32, mxfp8 or nvfp4
  std::int64_t count = 0;    ///< values of the tensor
  std::vector<std::byte> bytes;
};

/// Whether a file's `stored` blocks are kept as they are where `wanted` is asked for.
bool keeps_blocks(DType wanted, DType stored);
/// Values in a block of that format.
std::int64_t block_values(DType dtype);
/// Bytes of the codes of `count` values, of GGUF with their scales.
std::size_t code_bytes(DType dtype, std::int64_t count);

/// The type in which a straight view of blocks is kept as a tensor of its own: the file's, but of a
/// share of a fused tensor in NF4 nf4_fp32, the same numbers.
DType kept_dtype(const WeightView& view);
/// That tensor, stored_bytes(kept_dtype(view), count) of it.
void write_kept(const WeightView& view, std::byte* out);
/// A tensor's blocks in mxfp8 or nvfp4 from its values, which fill them: stored_bytes of them.
void encode_blocks(DType dtype, std::span<const float> values, std::byte* out);
/// The values in the order of the bytes, as fp32.
std::vector<float> decoded(const WeightView& view);

}  // namespace mantissa
