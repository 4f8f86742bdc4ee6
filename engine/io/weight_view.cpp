#include "engine/io/weight_view.h"

#include "engine/io/block_scales.h"

namespace mantissa {

std::size_t WeightView::bytes() const {
  return is_blocked(dtype) ? code_bytes(dtype, stored())
                           : static_cast<std::size_t>(stored()) * dtype_size(dtype);
}

}  // namespace mantissa
