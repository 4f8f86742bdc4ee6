#pragma once

#include <vector>

#include "kernels/view.h"

namespace mantissa {

/// An FP32 tensor that owns its memory, for data on its way to or from disk. Row-major.
struct HostTensor {
  Shape shape;
  std::vector<float> data;  ///< shape.count() elements

  View view() { return {data.data(), DType::f32, shape}; }
};

}  // namespace mantissa
