#pragma once

#include <functional>

#include "engine/adapters/adapter.h"
#include "engine/adapters/training_adapters.h"
#include "engine/graph/graph.h"

namespace mantissa {

/// An adapted layer's weight and operations.
struct AdaptedLayer {
  Tensor* weight = nullptr;  ///< as stored: the DoRA norm reads it directly
  Adapter* adapter = nullptr;
  LayerChanges* beside = nullptr;  ///< of training adapters
  /// W·x (+ bias) (+ addend), the last two absent or of W·x's dtype.
  std::function<Value(Value x, Value bias, Value addend)> base;
  /// x by a down matrix A: [..., rank].
  std::function<Value(Value x, Tensor& matrix)> down;
  /// x by another weight, a matrix [out, in·area], as the layer does by its own.
  std::function<Value(Value x, Value weight)> by;
  bool tf32 = false;
  bool pointwise = true;  ///< the layer is a product over the channels of each row
};

/// A persistent matrix in the dtype of `x`: [out, in] also if stored as [out, in, 1, 1].
Value matrix_for(Value x, Tensor& tensor);

/// The change that a LoHa or LoKr makes of `x`: scale·dW·x. LoKr on a pointwise layer multiplies by
/// its factors in turn; all others by dW itself.
Value product_change(const AdaptedLayer& layer, Adapter& adapter, Value x);

/// DoRA's f = m / n of the adapter on `weight`, in the dtype of statistics of `x`. Recorded outside
/// of any checkpointing segment, and with those of the part's other layers if it can be.
Value trained_factor(Tensor& weight, Adapter& adapter, Value x);
/// Factors of the adapters of a whole stack, side by side. Absent if they are not computed
/// together.
Value trained_factors(const AdapterStack& stack, Value x);

/// The layer with its adapter: LoRA, LoHa, LoKr, or DoRA of each on either axis, in the dtype of
/// `x`. With x~ = dropout(x), s the adapter's scale and f = m / n:
///  - LoRA: W·x + s·B·A·x~ + bias + addend; LoHa and LoKr with their product for B·A;
///  - DoRA per output: W·x + bias + addend + (f - 1)∘(W·x~) + f∘(s·B·A·x~), and without dropout
///    z + (f - 1)∘(z - bias - addend) with z the LoRA above: no second GEMM;
///  - DoRA per input: W·(x + (f - 1)∘x~) + s·B·A·(f∘x~) + bias + addend.
/// A LoHa's or LoKr's DoRA has their matrix in place of s·B·A; gradients flow through its norm too.
/// Active training adapters add their changes, by x, to the addend: the adapter's own change of the
/// weight is the same with and without them.
/// An adapter that is off adds nothing.
/// In each form a factor of 1 and B = 0 give W·x + bias + addend bit for bit, in every dtype. In 16
/// bits no change is lost for being below half an ulp of its addend: the GEMM's accumulation starts
/// from s·B·A·x~, and sums of stored tensors are dithered (kernels/dither.h).
Value adapted(const AdaptedLayer& layer, Value x, Value bias, Value addend);

}  // namespace mantissa
