#pragma once
// What recorded ops cost on any device, counted from their shapes: nothing is run or measured.

#include <cstdint>
#include <optional>
#include <string_view>

#include "engine/graph/plan.h"

namespace mantissa {

enum class CostKind : std::uint8_t {
  gemm,         ///< matrix products
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

/// Ranks of adapters and batch sizes lie below it, widths of models above.
inline constexpr std::int64_t kSkinnySide = 160;

struct OpCost {
  CostKind kind = CostKind::elementwise;
  double flop = 0;              ///< 2 for each multiply-add of a product; 0 for all other ops
  double bytes = 0;             ///< every operand read and every result written once
  int launches = 1;             ///< kernels that a card's backend starts
  DType operands = DType::f32;  ///< of a product: what its matrix units multiply
  std::int64_t m = 0, n = 0, k = 0, batch = 1;  ///< of a product [m, k]·[k, n]; 0 for others
};

/// Absent for ops that run nothing (reshape). `plan` tells which sums need a copy first: where the
/// addend could not be overwritten.
std::optional<OpCost> op_cost(const Graph& graph, const Plan& plan, const Node& node);

}  // namespace mantissa
