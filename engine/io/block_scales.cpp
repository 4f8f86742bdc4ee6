#include "engine/io/block_scales.h"

#include "kernels/block_codes.h"

namespace mantissa {

bool keeps_blocks(DType wanted, DType stored) {
  return is_blocked(stored) && (wanted == stored || (is_nf4(wanted) && is_nf4(stored)) ||
                                (wanted == DType::gguf && is_gguf(stored)));
}

std::int64_t block_values(DType dtype) {
  return is_nf4(dtype) ? kNf4Block : block_layout(dtype, 0).values;
}

std::size_t code_bytes(DType dtype, std::int64_t count) {
  if (is_nf4(dtype)) {
    return static_cast<std::size_t>((count + 1) / 2);
  }
  const BlockLayout layout = block_layout(dtype, count);
  return static_cast<std::size_t>(layout.blocks * layout.codes);
}

}  // namespace mantissa
