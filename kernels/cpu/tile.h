#pragma once
// The GEMM core.
//
// C[rows, cols] += A·B in register tiles. A is packed by blocks of kDepth columns into the caller's
// scratch (where convolutions gather their patches and half types are widened), B comes as panels
// of kTileCols columns. Each element of C is accumulated in the same order in any tile or thread.

#include <algorithm>
#include <cstdint>

#include "kernels/cpu/simd.h"

namespace mantissa::MANTISSA_ISA {

#if defined(__AVX512F__)
inline constexpr int kTileRows = 12;  // 24 sums + 2 of B + 1 of A in 32 registers
#elif defined(__AVX2__)
inline constexpr int kTileRows = 6;  // 12 + 2 + 1 in 16
#else
inline constexpr int kTileRows = 4;
#endif

/// Two bf16 neighbours along the depth, the operand of the processor's bf16 dot product: one
/// instruction multiplies both and accumulates in fp32. It treats subnormal operands as zero.
struct Bf16Pair {
  bfloat16 first, second;
};

/// Operands of tiles: A and B hold elements E, each of kDepth values along the depth, accumulated
/// as Sum.
template <typename E>
struct TileElement {
  using Sum = E;
  using Register = Vec<E>;
  static constexpr int kDepth = 1;
  static MANTISSA_INLINE Register load(const E* p) { return MANTISSA_ISA::load(p); }
  static MANTISSA_INLINE Register fill(const E* p) { return Register(*p); }
  static MANTISSA_INLINE Vec<Sum> multiply_add(Register a, Register b, Vec<Sum> sum) {
    return fma(a, b, sum);
  }
};
#if defined(__AVX512BF16__)
inline constexpr bool kMultipliesBf16 = true;
template <>
struct TileElement<Bf16Pair> {
  using Sum = float;
  using Register = __m512i;
  static constexpr int kDepth = 2;
  static MANTISSA_INLINE Register load(const Bf16Pair* p) { return _mm512_loadu_si512(p); }
  static MANTISSA_INLINE Register fill(const Bf16Pair* p) {
    int pair;
    std::memcpy(&pair, p, sizeof(pair));
    return _mm512_set1_epi32(pair);
  }
  static MANTISSA_INLINE Vec<Sum> multiply_add(Register a, Register b, Vec<Sum> sum) {
    return _mm512_dpbf16_ps(sum.v, reinterpret_cast<__m512bh>(a), reinterpret_cast<__m512bh>(b));
  }
};
#else
inline constexpr bool kMultipliesBf16 = false;
template <>
struct TileElement<Bf16Pair> {
  using Sum = float;
  static constexpr int kDepth = 2;
};
#endif

template <typename E>
using tile_sum_t = typename TileElement<E>::Sum;
template <typename E>
inline constexpr int kTileLanes = Vec<tile_sum_t<E>>::kLanes;
template <typename E>
inline constexpr int kTileCols = 2 * kTileLanes<E>;
/// Elements of depth in one block; A's packed rows lie kTileStride apart, not a power of two, which
/// would cause cache conflicts.
inline constexpr int kDepth = 256;
inline constexpr int kTileStride = kDepth + 8;
inline constexpr int kBlockRows = 96;

/// How a tile's A lies in memory.
enum class TileA {
  packed_rows,     ///< [rows][kTileStride]
  packed_columns,  ///< [depth][kTileRows]
  strided_rows,    ///< [rows][a_stride], a matrix as it is
  strided_columns  ///< [depth][a_stride]
};

template <typename E>
struct TileArgs {
  const E* a;
  std::int64_t a_stride;  ///< for strided_rows and strided_columns
  const E* b;             ///< [depth][b_stride]
  std::int64_t b_stride;
  std::int64_t depth;
  tile_sum_t<E>* c;  ///< [rows][c_stride]
  std::int64_t c_stride;
  int cols;  ///< valid columns, up to kTileCols
  tile_sum_t<E> alpha;
  bool add;                   ///< C = alpha·A·B + (add ? C : 0) + bias
  const tile_sum_t<E>* bias;  ///< [cols] or null
};
template <typename E>
using TileKernel = void (*)(const TileArgs<E>&);

/// The kernel for 1..kTileRows rows; `wide` takes two registers of columns, else one. Bf16Pair has
/// strided_rows and packed_columns.
template <typename E>
TileKernel<E> tile_kernel(int rows, bool wide, TileA a);

/// Elements of scratch that gemm_block needs for A.
inline constexpr std::int64_t kABlock =
    static_cast<std::int64_t>(kBlockRows + kTileRows) * kTileStride;

/// Where gemm_block takes A from: the matrix itself (strided_rows, row m0 at `data`), or `data` is
/// scratch that pack_a(row, rows, k0, depth, dst) fills tile by tile.
template <typename E>
struct BlockA {
  TileA layout;
  E* data;
  std::int64_t stride = 0;
};

/// C (at row m0, column n0, c_stride) = alpha·A·B (+ C if add) + bias for rows [m0, m1) and columns
/// [n0, n1) with m1 - m0 <= kBlockRows; depths count elements. panel_b(column, cols, k0, depth)
/// returns {pointer, stride} of B's panel. bias is indexed from n0.
template <typename E, typename PackA, typename PanelB>
void gemm_block(std::int64_t m0, std::int64_t m1, std::int64_t n0, std::int64_t n1,
                std::int64_t total_depth, BlockA<E> a, PackA&& pack_a, PanelB&& panel_b,
                tile_sum_t<E>* c, std::int64_t c_stride, tile_sum_t<E> alpha, bool add,
                const tile_sum_t<E>* bias) {
  const std::int64_t m = m1 - m0;
  const std::int64_t tiles = (m + kTileRows - 1) / kTileRows;
  constexpr std::int64_t kTileElements = static_cast<std::int64_t>(kTileRows) * kTileStride;
  const bool strided = a.layout == TileA::strided_rows;
  for (std::int64_t k0 = 0; k0 < total_depth; k0 += kDepth) {
    const std::int64_t depth = std::min<std::int64_t>(kDepth, total_depth - k0);
    for (std::int64_t t = 0; !strided && t < tiles; ++t) {
      const std::int64_t first = m * t / tiles;
      const std::int64_t rows = m * (t + 1) / tiles - first;
      pack_a(m0 + first, static_cast<int>(rows), k0, depth, a.data + t * kTileElements);
    }
    const bool last = k0 + depth == total_depth;
    for (std::int64_t n = n0; n < n1; n += kTileCols<E>) {
      const int cols = static_cast<int>(std::min<std::int64_t>(kTileCols<E>, n1 - n));
      const auto [panel, stride] = panel_b(n, cols, k0, depth);
      for (std::int64_t t = 0; t < tiles; ++t) {
        const std::int64_t first = m * t / tiles;
        const auto rows = static_cast<int>(m * (t + 1) / tiles - first);
        const E* from = strided ? a.data + first * a.stride + k0 : a.data + t * kTileElements;
        tile_kernel<E>(rows, cols > kTileLanes<E>, a.layout)(
            {from, a.stride, panel, stride, depth, c + first * c_stride + (n - n0), c_stride, cols,
             alpha, add || k0 > 0, last && bias != nullptr ? bias + (n - n0) : nullptr});
      }
    }
  }
}

/// Prefetches a cache line; any address is allowed.
MANTISSA_INLINE void prefetch(const void* p) {
#if defined(__AVX2__)
  _mm_prefetch(static_cast<const char*>(p), _MM_HINT_T0);
#endif
}

/// dst[i] = src[i], widened; any n.
template <typename S, typename T>
MANTISSA_INLINE void widen(const S* src, std::int64_t n, T* dst) {
  constexpr int kLanes = Vec<T>::kLanes;
  std::int64_t i = 0;
  for (; i + kLanes <= n; i += kLanes) {
    store(dst + i, load(src + i));
  }
  if (i < n) {
    const int rest = static_cast<int>(n - i);
    store_n(dst + i, load_n(src + i, rest), rest);
  }
}

/// Packs columns [n, n + cols) of B for depths [0, depth) as [depth][kTileCols], zeros beyond cols.
/// B is [depth, n] rows `stride` apart, or [n, depth] if transposed. For pairs (S bf16, T Bf16Pair)
/// `depth` still counts values, and is even if transposed.
template <typename S, typename T>
void pack_panel(const S* b, std::int64_t stride, bool transposed, std::int64_t n, int cols,
                std::int64_t depth, T* dst);

/// Packs rows [row, row + rows) of A [m, k] (or [k, m] by columns) for gemm_block.
template <typename S, typename T>
MANTISSA_INLINE void pack_rows(const S* a, std::int64_t stride, bool by_columns, std::int64_t row,
                               int rows, std::int64_t k0, std::int64_t depth, T* dst) {
  if (by_columns) {
    for (std::int64_t k = 0; k < depth; ++k) {
      widen(a + (k0 + k) * stride + row, rows, dst + k * kTileRows);
    }
  } else {
    for (int i = 0; i < rows; ++i) {
      widen(a + (row + i) * stride + k0, depth, dst + static_cast<std::int64_t>(i) * kTileStride);
    }
  }
}

/// Packs pairs, A [depth_end, m]: pairs [k0, k0 + depth) of columns [row, row + rows), the
/// last one filled up with zero if depth_end is odd.
void pack_pairs(const bfloat16* a, std::int64_t stride, std::int64_t row, int rows,
                std::int64_t depth_end, std::int64_t k0, std::int64_t depth, Bf16Pair* dst);

}  // namespace mantissa::MANTISSA_ISA
