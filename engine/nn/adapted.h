#pragma once

#include <functional>

#include "engine/adapters/adapter_set.h"
#include "engine/graph/graph.h"

namespace mantissa {

/// What a layer tells of itself: its weight, and how it multiplies.
struct AdaptedLayer {
  Tensor* weight = nullptr;  ///< as stored: the DoRA norm reads it there
  LoraAdapter* adapter = nullptr;
  /// W·x (+ bias) (+ addend), the latter two absent or of W·x's dtype.
  std::function<Value(Value x, Value bias, Value addend)> base;
  /// A·x: [..., rank].
  std::function<Value(Value x)> down;
  bool tf32 = false;
};

/// The layer with its adapter: LoRA, or DoRA on either axis, in the dtype of `x`. With
/// x~ = dropout(x), s the adapter's scale and f = m / n:
///  - LoRA: W·x + s·B·A·x~ + bias + addend;
///  - DoRA per output: W·x + bias + addend + (f - 1)∘(W·x~) + f∘(s·B·A·x~), and without dropout
///    z + (f - 1)∘(z - bias - addend) with z the LoRA above: no second product;
///  - DoRA per input: W·(x + (f - 1)∘x~) + s·B·A·(f∘x~) + bias + addend.
/// In each form a factor of 1 and B = 0 give W·x + bias + addend to the bit, in every dtype. In 16
/// bits no change is lost for being below half an ulp of what it is added to: the product's own sum
/// begins with s·B·A·x~, and sums of stored tensors are dithered (kernels/dither.h).
Value adapted(const AdaptedLayer& layer, Value x, Value bias, Value addend);

}  // namespace mantissa
