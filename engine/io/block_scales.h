#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

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

}  // namespace mantissa
