#pragma once
// Weights whose bytes are codes of blocks with scales: NF4, MXFP8, NVFP4 and GGUF.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/io/weight_view.h"
#include "kernels/dtype.h"

namespace mantissa {

/// The type in which a straight view of blocks is kept as a tensor of its own: the file's, but of a
/// share of a fused tensor in NF4 nf4_fp32, the same numbers.
DType kept_dtype(const WeightView& view);
/// Writes that tensor: stored_bytes(kept_dtype(view), count) of it.
void write_kept(const WeightView& view, std::byte* out);
/// A tensor's blocks in mxfp8 or nvfp4 from its values, which fill them: stored_bytes of them.
void encode_blocks(DType dtype, std::span<const float> values, std::byte* out);
/// The values in the order of the bytes, as fp32.
std::vector<float> decoded(const WeightView& view);
/// How many of the values are NaN or infinite, by scales and codes, which takes a fraction of
/// decoding.
std::int64_t non_finite_in_blocks(const WeightView& view);

}  // namespace mantissa
