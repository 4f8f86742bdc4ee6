#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "kernels/view.h"

namespace mantissa {

struct TensorBuffer;

/// A tensor that outlives graphs: a frozen weight, or a trainable adapter parameter. Graphs keep
/// pointers to it, so its address and data pointer must stay.
struct Tensor {
  std::string name;  ///< canonical path, "unet.conv_in.weight"
  DType dtype = DType::f32;
  Shape shape;
  void* data = nullptr;
  /// Where the bytes lie in host memory of a weight that is copied to the device for each use of
  /// it: `data` is then absent but while an executor runs (see Plan::stream).
  void* host = nullptr;
  bool streamed = false;  ///< of such a weight, loaded or planned
  /// Non-zero for frozen content that a backend may pack once (View::constant_id).
  std::uint64_t constant_id = 0;
  /// FP8 only: what a code is multiplied by to give the value back, [shape[0]], one per output
  /// channel.
  float* scale = nullptr;
  bool trainable = false;
  /// Where backward accumulates, [count] of grad_dtype. Only for trainable tensors; independent of
  /// the tensor's own dtype.
  void* grad = nullptr;
  DType grad_dtype = DType::f32;
  /// Called when backward has added this tensor's whole gradient of a micro-step.
  std::function<void()> gradient_ready;
  /// The buffer whose part this is, and where it begins there, in elements; null for all others.
  TensorBuffer* buffer = nullptr;
  std::int64_t buffer_offset = 0;

  bool quantized() const { return dtype_size(dtype) == 1; }
  /// Whether its values are in memory anywhere.
  bool loaded() const { return data != nullptr || host != nullptr; }
  /// Where the scales of FP8 codes begin, counted from the codes, and all bytes of the two.
  std::size_t scale_offset() const {
    constexpr std::size_t kAlignment = 64;
    return (static_cast<std::size_t>(shape.count()) + kAlignment - 1) / kAlignment * kAlignment;
  }
  std::size_t bytes() const {
    return quantized() ? scale_offset() + static_cast<std::size_t>(shape[0]) * sizeof(float)
                       : static_cast<std::size_t>(shape.count()) * dtype_size(dtype);
  }
  View view() const {
    View v(data, dtype, shape);
    v.constant_id = constant_id;
    return v;
  }
  View scale_view() const { return View(scale, DType::f32, {shape[0]}); }
  View grad_view() const { return View(grad, grad_dtype, shape); }
};

/// Tensors one behind another that most layers read in one and the same other dtype: a graph then
/// converts them all at once (read_tensor), which costs one launch instead of one for each.
struct TensorBuffer {
  Tensor whole;  ///< [n], all values of its parts; not trainable itself
  DType read_as = DType::bf16;
};

}  // namespace mantissa
