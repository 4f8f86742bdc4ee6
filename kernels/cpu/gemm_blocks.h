#pragma once

#include <algorithm>
#include <cstdint>
#include <type_traits>

#include "kernels/cpu/backend.h"
#include "kernels/cpu/tile.h"

namespace mantissa::MANTISSA_ISA {

/// Packed copies of constants are cached up to this many values each. Larger ones are packed in
/// each call: at their usual row counts, packing costs under 3 % of the GEMM and the copy would
/// double the model's memory.
inline constexpr std::int64_t kConstantLimit = std::int64_t{1} << 20;
/// Added to PackKey::layout for panels of Bf16Pair.
inline constexpr int kPairLayouts = 1 << 20;
/// Rows and columns of C that one chunk computes; depends on the shape alone. `packed_a`: each
/// chunk packs the rows of A that it reads.
struct GemmPlan {
  std::int64_t rows, cols;
};
GemmPlan plan_gemm(std::int64_t m, std::int64_t n, std::int64_t k, int tile_cols, bool packed_a);
/// The rows and columns of C that one chunk computes where chunks pack B themselves, so that no
/// thread waits between packing and multiplying. `rows` is a multiple of `block`, the rows computed
/// at a time.
struct GemmShare {
  std::int64_t rows, cols, block;
};
/// Shares for a B in panels of `tile_cols` columns and `panel_bytes`.
GemmShare share_gemm(std::int64_t m, std::int64_t n, std::int64_t k, std::int64_t panel_bytes,
                     int tile_cols, int threads);

/// Computes C [m, n] by shares. Each packs its columns of B by pack(column, cols, panel) into
/// panels of `panel` elements for `tile_cols` columns, then calls multiply(m0, m1, n0, n1, panels,
/// memory) for each block of its rows, with `block_bytes` of memory.
template <typename E, typename Pack, typename Multiply>
void for_shares(ThreadPool& pool, Scratch& scratch, const GemmShare& share, std::int64_t m,
                std::int64_t n, int tile_cols, std::int64_t panel, std::size_t block_bytes,
                Pack&& pack, Multiply&& multiply) {
  const std::int64_t tall = ceil_div(m, share.rows);
  const std::size_t packed = static_cast<std::size_t>(share.cols / tile_cols * panel) * sizeof(E);
  pool.run(tall * ceil_div(n, share.cols), [&](std::int64_t chunk, int thread) {
    const std::int64_t n0 = chunk / tall * share.cols, n1 = std::min(n, n0 + share.cols);
    auto* const memory = static_cast<char*>(scratch.of_thread(thread, packed + block_bytes));
    E* const panels = reinterpret_cast<E*>(memory);
    for (std::int64_t c = n0; c < n1; c += tile_cols) {
      pack(c, static_cast<int>(std::min<std::int64_t>(tile_cols, n1 - c)),
           panels + (c - n0) / tile_cols * panel);
    }
    const std::int64_t m_end = std::min(m, (chunk % tall + 1) * share.rows);
    for (std::int64_t m0 = chunk % tall * share.rows; m0 < m_end; m0 += share.block) {
      multiply(m0, std::min(m_end, m0 + share.block), n0, n1, panels, memory + packed);
    }
  });
}

/// Calls use.template operator()<E>() with the best element type for GEMMs of S.
template <typename S, typename Use>
void with_element(bool pairs, Use&& use) {
  if constexpr (kMultipliesBf16 && std::is_same_v<S, bfloat16>) {
    if (pairs) {
      return use.template operator()<Bf16Pair>();
    }
  }
  (void)pairs;
  use.template operator()<accumulator_t<S>>();
}

/// out[i][j] = S(c[i][j] + beta·addend[i][j] + bias[j]), rounded once; row(i) and addend_row(i) are
/// the addresses of row i in out and in the addend.
template <typename S, typename Row, typename AddendRow>
void store_block(const accumulator_t<S>* c, std::int64_t c_stride, std::int64_t rows,
                 std::int64_t cols, accumulator_t<S> beta, const S* bias, Row&& row,
                 AddendRow&& addend_row) {
  using V = Vec<accumulator_t<S>>;
  for (std::int64_t i = 0; i < rows; ++i) {
    S* out = row(i);
    const S* addend = addend_row(i);
    const auto* from = c + i * c_stride;
    const V scale(beta);
    if (beta != 0 && bias != nullptr) {
      map_elements(
          cols, out, [&](V x, V y, V b) { return fma(scale, y, x) + b; }, from, addend, bias);
    } else if (beta != 0) {
      map_elements(
          cols, out, [&](V x, V y) { return fma(scale, y, x); }, from, addend);
    } else if (bias != nullptr) {
      map_elements(
          cols, out, [](V x, V b) { return x + b; }, from, bias);
    } else {
      map_elements(
          cols, out, [](V x) { return x; }, from);
    }
  }
}
template <typename S, typename Row>
void store_block(const accumulator_t<S>* c, std::int64_t c_stride, std::int64_t rows,
                 std::int64_t cols, accumulator_t<S> beta, const S* bias, Row&& row) {
  store_block<S>(c, c_stride, rows, cols, beta, bias, row, row);
}

}  // namespace mantissa::MANTISSA_ISA
