#pragma once
// Costs of recorded ops on any device, counted from their shapes: nothing is run or measured.

#include <cstdint>
#include <optional>
#include <string_view>

#include "engine/graph/plan.h"

namespace mantissa {

enum class CostKind : std::uint8_t {
  gemm,         ///< GEMMs
  skinny_gemm,  ///< those with a side of at most kSkinnySide: an adapter's, a time embedding's
  convolution,
  attention,
  norm,
  activation,
  elementwise,  ///< also copies, casts and reductions
  quantization,
};
inline constexpr int kCostKinds = 8;
/// "skinny_gemm".
std::string_view cost_kind_name(CostKind kind);

/// Adapter ranks and batch sizes are below it, model widths above.
inline constexpr std::int64_t kSkinnySide = 160;

struct OpCost {
  CostKind kind = CostKind::elementwise;
  double flop = 0;   ///< 2 per multiply-add of a GEMM; 0 for all other ops
  double bytes = 0;  ///< every operand read and every result written once
  /// Moved as well, by kernels before or after a GEMM of codes: they make the codes of its operand,
  /// turn those of its weight, or scale its sums.
  double coding_bytes = 0;
  int launches = 1;                             ///< kernels launched on a card
  DType operands = DType::f32;                  ///< of a GEMM: its operands' dtype
  std::int64_t m = 0, n = 0, k = 0, batch = 1;  ///< of a GEMM [m, k]·[k, n]; 0 for others
};

/// Absent for ops that run nothing (reshape). `plan` shows which sums need a copy first because the
/// addend couldn't be overwritten.
std::optional<OpCost> op_cost(const Graph& graph, const Plan& plan, const Node& node);

}  // namespace mantissa
