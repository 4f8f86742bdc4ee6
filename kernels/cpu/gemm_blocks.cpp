#include "kernels/cpu/gemm_blocks.h"

#include <algorithm>
#include <cmath>

#include "kernels/cpu/tile.h"

namespace mantissa::MANTISSA_ISA {

/// Below this a chunk costs more to dispatch than to run.
constexpr double kLeastFlops = 2e6;

GemmPlan plan_gemm(std::int64_t m, std::int64_t n, std::int64_t k, int tile_cols, bool packed_a) {
  // About 24 chunks keep 16 threads busy.
  const double flops =
      2.0 * static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(k);
  const double most = 1.5 * std::max(flops / 24.0, kLeastFlops);
  GemmPlan plan{std::min<std::int64_t>(kBlockRows, m), 20 * tile_cols};
  const auto shrink = [&](std::int64_t least_rows, std::int64_t least_cols) {
    const auto too_large = [&] {
      return 2.0 * static_cast<double>(plan.rows) * static_cast<double>(std::min(plan.cols, n)) *
                 static_cast<double>(k) >
             most;
    };
    while (too_large() && plan.cols >= 2 * least_cols) {
      plan.cols /= 2;
    }
    while (too_large() && plan.rows >= 2 * least_rows) {
      plan.rows = ceil_div(plan.rows, 2);
    }
  };
  // Tall blocks reuse B's panels, wide ones A's rows: reduce width first, but not entirely, and
  // less if each chunk packs its own A.
  shrink(kBlockRows / 2, (packed_a ? 10 : 2) * tile_cols);
  shrink(2 * kTileRows, tile_cols);
  // Even blocks: 1024 rows are 11 of 94, not 10 of 96 and one of 64.
  plan.rows = ceil_div(m, ceil_div(m, plan.rows));
  plan.cols = ceil_div(ceil_div(n, ceil_div(n, plan.cols)), tile_cols) * tile_cols;
  return plan;
}

GemmShare share_gemm(std::int64_t m, std::int64_t n, std::int64_t k, std::int64_t panel_bytes,
                     int tile_cols, int threads) {
  // Panels that fit into a core's cache beside the rows of A, but enough to reuse those rows.
  constexpr std::int64_t kCachedBytes = std::int64_t{512} << 10, kLeastPanels = 4;
  // Each share of the rows packs B again, which fewer of them don't pay for.
  constexpr std::int64_t kLeastRows = 128;
  const double flops =
      2.0 * static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(k);
  const std::int64_t chunks =
      std::clamp<std::int64_t>(threads > 1 ? 4 * threads : 1, 1,
                               std::max<std::int64_t>(1, std::llround(flops / kLeastFlops)));
  const std::int64_t panels = ceil_div(n, tile_cols);
  const std::int64_t most =
      std::max(kLeastPanels, kCachedBytes / std::max<std::int64_t>(1, panel_bytes));
  const std::int64_t wide =
      ceil_div(panels, std::clamp(panels / chunks, std::min(panels, kLeastPanels), most));
  const std::int64_t tall = std::clamp<std::int64_t>(ceil_div(chunks, wide), 1,
                                                     std::max<std::int64_t>(1, m / kLeastRows));
  const std::int64_t rows = ceil_div(m, tall);
  const std::int64_t block = ceil_div(rows, ceil_div(rows, kBlockRows));
  return {ceil_div(rows, block) * block, ceil_div(panels, wide) * tile_cols, block};
}

}  // namespace mantissa::MANTISSA_ISA
