#pragma once
// One module's adapter in memory, as layers use it.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/adapters/dora.h"
#include "engine/adapters/product_form.h"
#include "engine/core/random.h"
#include "engine/graph/tensor.h"
#include "engine/preset/names.h"

namespace mantissa {

/// Each module's dropout has its own stream: this plus its index. (Initial values draw from
/// RandomStream::init with sample = index.)
inline constexpr std::uint32_t kAdapterDropoutStream =
    static_cast<std::uint32_t>(RandomStream::dropout) << 24;

/// A constant scaling of a weight's channels: DoRA from a file, see FixedAdapters.
struct WeightFactor {
  DoraAxis axis = DoraAxis::output;
  Tensor factor;  ///< [channels] fp32
};

struct AdapterStack;

/// y = W·x + scale·up·down·dropout(x) (arXiv 2106.09685); a LoHa or LoKr has another product.
struct Adapter {
  std::string path;  ///< "denoiser.down_blocks.1.attentions.0.transformer_blocks.0.attn1.to_q"
  Part part;
  int index = 0;      ///< binding order
  int device = 0;     ///< Tensor::device of all its tensors
  bool conv = false;  ///< the module's weight is [out, in, kh, kw]
  int rank = 0;
  float alpha = 0;
  float scale = 1;    ///< alpha / rank, or alpha / sqrt(rank)
  float dropout = 0;  ///< used while recording; see WithoutDropout
  bool off = false;   ///< layers record the base alone; see WithoutAdapters
  Tensor down;        ///< A: [rank, in] or [rank, in, kh, kw], in the master dtype
  Tensor up;          ///< B: [out, rank] or [out, rank, 1, 1]
  Shape shape;        ///< of the module's weight
  /// The frozen weight; null if requested by shape alone.
  const Tensor* weight = nullptr;
  std::optional<DoraAdapter> dora;     ///< trainable sets with magnitudes
  std::optional<WeightFactor> factor;  ///< fixed sets: up and down already include it
  /// Trainable sets of adapter.type loha or lokr: down and up are then empty.
  std::optional<ProductAdapter> product;
  const AdapterStack* stack = nullptr;  ///< the longest that it is in
};

/// Adapters of one shape, rank and scale that read the same input. Their down matrices are adjacent
/// in memory, and so are their up matrices.
struct AdapterStack {
  std::vector<Adapter*> parts;
  Tensor down;  ///< [parts·rank, in]
  Tensor up;    ///< [parts·out, rank]
};

/// The frozen weight under an adapter. Throws Error if it was bound without one, or it isn't
/// loaded.
const Tensor& adapted_weight(const Adapter& adapter);

/// Shapes of a LoRA's matrices on a weight [out, in] or [out, in, kh, kw].
Shape down_shape(const Shape& weight, int rank);
Shape up_shape(const Shape& weight, int rank);

}  // namespace mantissa
