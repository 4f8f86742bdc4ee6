#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "kernels/block_codes.h"
#include "kernels/view.h"

namespace mantissa {

struct TensorBuffer;

/// A tensor that outlives graphs: a frozen weight, or a trainable adapter parameter. Graphs keep
/// pointers to it, so its address and data pointer must stay.
struct Tensor {
  std::string name;    ///< canonical path, "denoiser.conv_in.weight"
  std::string module;  ///< the path of its module in graphs; empty: as its name says
  DType dtype = DType::f32;
  Shape shape;
  int device = 0;  ///< the one that has it, of several that share a model's layers (Devices)
  void* data = nullptr;
  /// Host memory of a weight that is copied to the device for each use: `data` is then set only
  /// while an executor runs (see Plan::stream).
  void* host = nullptr;
  bool streamed = false;  ///< of such a weight, loaded or planned
  /// Non-zero for frozen content, which a backend may pack once (View::constant_id).
  std::uint64_t constant_id = 0;
  /// Codes of one byte only: their scales, [shape[0]], one per output channel.
  float* scale = nullptr;
  bool trainable = false;
  /// Where backward accumulates, [count] of grad_dtype. Only for trainable tensors; independent of
  /// the tensor's own dtype.
  void* grad = nullptr;
  DType grad_dtype = DType::f32;
  /// Called when the backward pass has accumulated this tensor's whole gradient of a micro-step.
  std::function<void()> gradient_ready;
  /// The buffer this is part of, and its offset there in elements; null for all others.
  TensorBuffer* buffer = nullptr;
  std::int64_t buffer_offset = 0;
  /// Adjacent tensors that are multiplied together as this one, which shares their memory.
  std::vector<Tensor*> parts;

  /// Whether gradient_ready is set, here or in a part.
  bool awaits_gradient() const {
    return gradient_ready != nullptr ||
           std::ranges::any_of(parts, [](const Tensor* part) { return part->awaits_gradient(); });
  }
  /// Calls gradient_ready, here and in the parts.
  void tell_gradient_ready() const {
    if (gradient_ready) {
      gradient_ready();
    }
    for (const Tensor* part : parts) {
      part->tell_gradient_ready();
    }
  }
  bool quantized() const { return is_quantized(dtype); }
  /// Whether `scale` is used; blocks have their scales behind them (block_codes.h).
  bool has_scale() const { return is_coded(dtype); }
  std::string module_path() const { return module.empty() ? name : module; }
  /// "denoiser.….to_q" of "denoiser.….to_q.weight" and of "denoiser.….to_q.lora_A.weight".
  std::string layer_path() const {
    return name.substr(0, std::min(name.find(".lora_"), name.rfind('.')));
  }
  /// The layers whose weights it holds, one after the other.
  std::int64_t layers() const {
    return std::max<std::int64_t>(1, static_cast<std::int64_t>(parts.size()));
  }
  /// Whether its values are in memory anywhere.
  bool loaded() const { return data != nullptr || host != nullptr; }
  /// Offset of `scale` from the codes, and the bytes of all.
  std::size_t scale_offset() const {
    constexpr std::size_t kAlignment = 64;
    return (static_cast<std::size_t>(shape.count()) + kAlignment - 1) / kAlignment * kAlignment;
  }
  std::size_t bytes() const {
    return has_scale() ? scale_offset() + static_cast<std::size_t>(shape[0]) * sizeof(float)
                       : stored_bytes(dtype, shape.count());
  }
  View view() const {
    View v(data, dtype, shape);
    v.constant_id = constant_id;
    return v;
  }
  View scale_view() const { return has_scale() ? View(scale, DType::f32, {shape[0]}) : View(); }
  View grad_view() const { return View(grad, grad_dtype, shape); }
};

/// Consecutive tensors that most layers read in the same other dtype: a graph converts them all at
/// once (read_tensor), in one launch instead of one each.
struct TensorBuffer {
  Tensor whole;  ///< [n], all values of its parts; not trainable itself
  DType read_as = DType::bf16;
};

}  // namespace mantissa
