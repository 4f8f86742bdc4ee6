#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/io/weights.h"
#include "kernels/dtype.h"

namespace mantissa {

/// The scales of a tensor of NF4 in a file: as nf4_layout has them in memory, behind the codes.
struct Nf4Scales {
  DType dtype = DType::nf4;  ///< nf4 or nf4_fp32
  std::int64_t count = 0;    ///< values of the tensor
  std::vector<std::byte> bytes;
};

/// The type in which a straight view of NF4 keeps its codes and scales as a tensor of its own: the
/// file's, or with fp32 scales, the same numbers, if it is a share of a fused tensor.
DType kept_dtype(const WeightView& view);
/// That tensor, stored_bytes(kept_dtype(view), count) of it.
void write_kept(const WeightView& view, std::byte* out);
/// The values in the order of the bytes, as fp32.
std::vector<float> decoded(const WeightView& view);

}  // namespace mantissa
