#pragma once
// defines: Tensor

#include <cstdint>
#include <string>

#include "kernels/view.h"

namespace mantissa {

/// A tensor that outlives graphs: a frozen weight, or a trainable adapter parameter. Graphs keep
/// pointers to it, so its address and data pointer must stay.
struct Tensor {
  std::string name;  ///< canonical path, "unet.conv_in.weight"
  DType dtype = DType::f32;
  Shape shape;
  void* data = nullptr;
  /// Non-zero for frozen content that a backend may pack once (View::constant_id).
  std::uint64_t constant_id = 0;
  bool trainable = false;
  /// Where backward accumulates: [count] of fp32 (fp64 for fp64). Only for trainable tensors.
  void* grad = nullptr;

  View view() const {
    View v(data, dtype, shape);
    v.constant_id = constant_id;
    return v;
  }
  View grad_view() const {
    return View(grad, dtype == DType::f64 ? DType::f64 : DType::f32, shape);
  }
};

}  // namespace mantissa
