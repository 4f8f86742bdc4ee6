#pragma once
// Costs of recorded ops on any device, counted from their shapes: nothing is run or measured.

#include <cstdint>
#include <string_view>
#include <vector>

#include "engine/graph/plan.h"

namespace mantissa {

/// What kernels do: the classes in which recorded steps are measured.
enum class CostKind : std::uint8_t {
  gemm,         ///< GEMMs
  skinny_gemm,  ///< those with a side of at most kSkinnySide: an adapter's, a time embedding's
  convolution,
  attention,
  norm,
  activation,
  elementwise,  ///< also copies, casts and reductions
  dora,         ///< DoRA's factors, and channels scaled by them
  encoding,     ///< activations and gradients to codes
  decoding,     ///< weights from codes, and turned for a convolution
  int8_sums,    ///< INT8's sums of 32 bits, scaled
};
inline constexpr int kCostKinds = 11;
/// "skinny_gemm".
std::string_view cost_kind_name(CostKind kind);

/// Adapter ranks and batch sizes are below it, model widths above.
inline constexpr std::int64_t kSkinnySide = 160;

/// How fast kernels that multiply nothing can read and write.
enum class Pace : std::uint8_t {
  copy,
  row_norm,  ///< layer and RMS norm
  row_norm_backward,
  column_norm,               ///< group norm and its backward
  channel_scaling,           ///< DoRA's
  channel_scaling_backward,  ///< with a sum over rows
  weight_norm,               ///< of DoRA's changed weights
  encoding,
  gradient_encoding,  ///< each channel times the weight's scale
  block_decoding,     ///< of codes with a scale for each block
  turning,            ///< a convolution's weight with its taps first
  int8_sums,
};

/// Kernels of one op that do one kind of work.
struct OpCost {
  CostKind kind = CostKind::elementwise;
  double flop = 0;    ///< 2 per multiply-add of a GEMM; 0 for all others
  double bytes = 0;   ///< every operand read and every result written, as often as the kernels do
  double cached = 0;  ///< of `bytes`, those that are in the card's cache
  Pace pace = Pace::copy;
  int launches = 1;                  ///< nodes of a recording on a card
  int cleared = 0;                   ///< of them clear a few bytes of a GEMM's workspace first
  DType operands = DType::f32;       ///< of a GEMM: its operands' dtype
  double written = 0;                ///< of `bytes`, a GEMM's results and addends
  std::int64_t m = 0, n = 0, k = 0;  ///< of a GEMM [m, k]·[k, n]; 0 for others
  std::int64_t batch = 1;            ///< such GEMMs in one launch
  std::int64_t products = 1;         ///< launched one after another
};

/// In the order of their kernels; none for ops that run nothing (reshape). `plan` shows which sums
/// need a copy first because the addend couldn't be overwritten.
std::vector<OpCost> op_costs(const Graph& graph, const Plan& plan, const Node& node);

}  // namespace mantissa
