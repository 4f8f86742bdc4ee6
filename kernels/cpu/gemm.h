#pragma once
// defines: GemmPlan, plan_gemm, store_block; limits of packed copies

#include <cstdint>

#include "kernels/cpu/backend.h"

namespace mantissa::MANTISSA_ISA {

/// Packed copies of constants are kept up to this size each. Larger ones are packed in each call:
/// at the row counts they see, packing costs under 3 % of the product and the copy would double the
/// model's memory.
inline constexpr std::size_t kConstantLimit = std::size_t{4} << 20;
/// Scratch that panels packed for one call may take.
inline constexpr std::int64_t kPackScratch = std::int64_t{32} << 20;

/// Rows and columns of C that one chunk computes; depends on the shape alone. `packed_a`: each
/// chunk packs the rows of A that it reads.
struct GemmPlan {
  std::int64_t rows, cols;
};
GemmPlan plan_gemm(std::int64_t m, std::int64_t n, std::int64_t k, int tile_cols, bool packed_a);

/// out[i][j] = S(c[i][j] + beta·out[i][j] + bias[j]), rounded once; row(i) is where row i goes.
template <typename S, typename Row>
void store_block(const accumulator_t<S>* c, std::int64_t c_stride, std::int64_t rows,
                 std::int64_t cols, accumulator_t<S> beta, const S* bias, Row&& row) {
  using V = Vec<accumulator_t<S>>;
  for (std::int64_t i = 0; i < rows; ++i) {
    S* out = row(i);
    const auto* from = c + i * c_stride;
    const V scale(beta);
    if (beta != 0 && bias != nullptr) {
      map_elements(
          cols, out, [&](V x, V y, V b) { return fma(scale, y, x) + b; }, from, out, bias);
    } else if (beta != 0) {
      map_elements(
          cols, out, [&](V x, V y) { return fma(scale, y, x); }, from, out);
    } else if (bias != nullptr) {
      map_elements(
          cols, out, [](V x, V b) { return x + b; }, from, bias);
    } else {
      map_elements(
          cols, out, [](V x) { return x; }, from);
    }
  }
}

}  // namespace mantissa::MANTISSA_ISA
