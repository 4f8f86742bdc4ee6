#pragma once
// Blocks of attention scores.
//
// Attention by blocks with an online softmax (Dao et al., arXiv 2205.14135): scores never leave the
// cache. Score blocks are stored with a row stride of kTileStride, so that they serve as packed A
// of the next GEMM.

#include <type_traits>

#include "kernels/check_attention.h"
#include "kernels/cpu/backend.h"
#include "kernels/cpu/gemm_blocks.h"
#include "kernels/cpu/tile.h"

namespace mantissa::MANTISSA_ISA {

/// Rows of A in one block, and columns of scores: one depth block of the following GEMM.
inline constexpr std::int64_t kRows = kBlockRows;
inline constexpr std::int64_t kCols = kDepth;
/// Bytes of q, k, v and d_out packed at once.
inline constexpr std::int64_t kPacked = std::int64_t{32} << 20;
/// C[rows, cols] = alpha·A·B (+ C): A's rows kTileStride apart, depth <= kDepth, B in panels
/// `panel` elements apart.
template <typename T>
void rows_product(const T* a, std::int64_t rows, std::int64_t depth, const T* b, std::int64_t panel,
                  std::int64_t cols, T* c, std::int64_t c_stride, T alpha, bool add) {
  const std::int64_t tiles = ceil_div(rows, kTileRows);
  for (std::int64_t n = 0; n < cols; n += kTileCols<T>, b += panel) {
    const int width = static_cast<int>(std::min<std::int64_t>(kTileCols<T>, cols - n));
    for (std::int64_t t = 0; t < tiles; ++t) {
      const std::int64_t first = rows * t / tiles;
      const auto count = static_cast<int>(rows * (t + 1) / tiles - first);
      tile_kernel<T>(count, width > Vec<T>::kLanes, TileA::packed_rows)(
          {a + first * kTileStride, 0, b, kTileCols<T>, depth, c + first * c_stride + n, c_stride,
           width, alpha, add, nullptr});
    }
  }
}

/// Rows of a [tokens, d] matrix as A: one piece [rows][kTileStride] for each kDepth of d.
template <typename S, typename T>
void pack_a(const S* x, std::int64_t stride, std::int64_t rows, std::int64_t d, T* dst) {
  for (std::int64_t k = 0; k < d; k += kDepth, dst += kRows * kTileStride) {
    for (std::int64_t i = 0; i < rows; ++i) {
      widen(x + i * stride + k, std::min<std::int64_t>(kDepth, d - k), dst + i * kTileStride);
    }
  }
}

/// C[rows, cols] = alpha·A·Bᵀ over the whole head width, A from pack_a, B from pack_transposed.
template <typename T>
void scores(const T* a, std::int64_t rows, std::int64_t d, const T* b, std::int64_t cols, T* c,
            T alpha) {
  for (std::int64_t k = 0; k < d; k += kDepth) {
    rows_product(a + k / kDepth * kRows * kTileStride, rows, std::min<std::int64_t>(kDepth, d - k),
                 b + k * kTileCols<T>, d * kTileCols<T>, cols, c, std::int64_t{kTileStride}, alpha,
                 k > 0);
  }
}

/// Scores in bf16 with native multiplication: A is read in place, its rows `stride` pairs apart.
/// No intermediate rounding.
inline void scores(const Bf16Pair* a, std::int64_t stride, std::int64_t rows, std::int64_t pairs,
                   const Bf16Pair* b, std::int64_t cols, float* c, float alpha) {
  constexpr int kPanel = kTileCols<Bf16Pair>;
  const std::int64_t tiles = ceil_div(rows, kTileRows);
  for (std::int64_t k = 0; k < pairs; k += kDepth) {
    for (std::int64_t n = 0; n < cols; n += kPanel) {
      const int width = static_cast<int>(std::min<std::int64_t>(kPanel, cols - n));
      for (std::int64_t t = 0; t < tiles; ++t) {
        const std::int64_t first = rows * t / tiles;
        const auto count = static_cast<int>(rows * (t + 1) / tiles - first);
        tile_kernel<Bf16Pair>(count, width > kTileLanes<Bf16Pair>, TileA::strided_rows)(
            {a + first * stride + k, stride, b + n * pairs + k * kPanel, kPanel,
             std::min<std::int64_t>(kDepth, pairs - k), c + first * kTileStride + n, kTileStride,
             width, alpha, k > 0, nullptr});
      }
    }
  }
}

/// x [tokens, d] as panels over tokens: [tokens / kTileCols][d][kTileCols] of elements E.
template <typename S, typename E>
void pack_transposed(const S* x, std::int64_t stride, std::int64_t tokens, std::int64_t d, E* dst) {
  for (std::int64_t n = 0; n < tokens;
       n += kTileCols<E>, dst += d / TileElement<E>::kDepth * kTileCols<E>) {
    pack_panel(x, stride, true, n,
               static_cast<int>(std::min<std::int64_t>(kTileCols<E>, tokens - n)), d, dst);
  }
}

/// x [tokens, d] as panels over d: [d / kTileCols][tokens][kTileCols].
template <typename S, typename T>
void pack_straight(const S* x, std::int64_t stride, std::int64_t tokens, std::int64_t d, T* dst) {
  for (std::int64_t n = 0; n < d; n += kTileCols<T>, dst += tokens * kTileCols<T>) {
    pack_panel(x, stride, false, n, static_cast<int>(std::min<std::int64_t>(kTileCols<T>, d - n)),
               tokens, dst);
  }
}

/// Whether the GEMMs of q, k, v and d_out can use bf16 pairs.
template <typename S>
bool takes_pairs(const Heads& h, std::initializer_list<const View*> views) {
  return kMultipliesBf16 && std::is_same_v<S, bfloat16> && h.d % 2 == 0 &&
         std::all_of(views.begin(), views.end(),
                     [](const View* v) { return v->row_stride % 2 == 0; });
}

/// Rows [row, row + rows) of one head as the A of `scores`: packed into `scratch`, or in place.
template <typename E, typename S>
struct ScoreRows {
  using T = accumulator_t<S>;
  static constexpr bool kInPlace = !std::is_same_v<E, T>;
  const S* from;
  std::int64_t stride, rows, d;
  T* packed;
  ScoreRows(const S* x, std::int64_t row_stride, std::int64_t count, std::int64_t width, T* scratch)
      : from(x), stride(row_stride), rows(count), d(width), packed(scratch) {
    if constexpr (!kInPlace) {
      pack_a(x, row_stride, count, width, scratch);
    }
  }
  /// c = alpha·rows·Bᵀ, B of `panels` (pack_transposed) from token `first` on.
  void scores_with(const E* panels, std::int64_t first, std::int64_t cols, T* c, T alpha) const {
    constexpr int kPer = TileElement<E>::kDepth;
    const E* b = panels + first * (d / kPer);
    if constexpr (kInPlace) {
      scores(reinterpret_cast<const E*>(from), stride / kPer, rows, d / kPer, b, cols, c, alpha);
    } else {
      scores(static_cast<const T*>(packed), rows, d, b, cols, c, alpha);
    }
  }
};

/// The bias on the scores of one (sample, head) pair; null where there is none.
template <typename T>
struct AddedScores {
  const T* scores = nullptr;  ///< [queries, keys]
  const T* by_key = nullptr;  ///< [keys]
  AddedScores(const AttentionBias& bias, const Heads& h, std::int64_t pair) {
    if (bias.scores) {
      const std::int64_t head = bias.scores.shape[0] == 1 ? 0 : pair % h.heads;
      scores = bias.scores.as<T>() + head * h.queries * h.keys;
    }
    if (bias.keys) {
      by_key = bias.keys.as<T>() + pair / h.heads * h.keys;
    }
  }
};

/// row[c] += the bias of query `q` and key k0 + c.
template <typename T>
void add_to_query_row(T* row, std::int64_t cols, const AddedScores<T>& added, std::int64_t keys,
                      std::int64_t q, std::int64_t k0) {
  const auto sum = [](Vec<T> a, Vec<T> b) { return a + b; };
  if (added.scores != nullptr) {
    map_elements(cols, row, sum, static_cast<const T*>(row), added.scores + q * keys + k0);
  }
  if (added.by_key != nullptr) {
    map_elements(cols, row, sum, static_cast<const T*>(row), added.by_key + k0);
  }
}

/// row[c] += the bias of key `k` and query q0 + c.
template <typename T>
void add_to_key_row(T* row, std::int64_t cols, const AddedScores<T>& added, std::int64_t keys,
                    std::int64_t k, std::int64_t q0) {
  if (added.scores != nullptr) {
    const T* from = added.scores + q0 * keys + k;
    for (std::int64_t c = 0; c < cols; ++c) {
      row[c] += from[c * keys];
    }
  }
  if (added.by_key != nullptr) {
    const Vec<T> all(added.by_key[k]);
    map_elements(
        cols, row, [&](Vec<T> a) { return a + all; }, static_cast<const T*>(row));
  }
}

}  // namespace mantissa::MANTISSA_ISA
