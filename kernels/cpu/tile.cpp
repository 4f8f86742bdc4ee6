#include "kernels/cpu/tile.h"

#include <array>
#include <type_traits>
#include <utility>

namespace mantissa::MANTISSA_ISA {

namespace {

template <typename E, int kRows, int kVecs, TileA kA>
void tile(const TileArgs<E>& args) {
  using Element = TileElement<E>;
  using T = tile_sum_t<E>;
  using V = Vec<T>;
  V sum[kRows][kVecs];
  MANTISSA_UNROLL
  for (int i = 0; i < kRows; ++i) {
    MANTISSA_UNROLL
    for (int v = 0; v < kVecs; ++v) {
      sum[i][v] = V(T(0));
    }
  }
  const E* b = args.b;
  // Three rows to a pointer: with the stride and its double they are all within reach.
  constexpr int kPointers = kA == TileA::strided_rows ? (kRows + 2) / 3 : 1;
  const E* a[kPointers];
  const std::int64_t stride = args.a_stride;
  MANTISSA_UNROLL
  for (int i = 0; i < kPointers; ++i) {
    a[i] = args.a + 3 * i * stride;
  }
  for (std::int64_t k = 0; k < args.depth; ++k) {
    typename Element::Register bv[kVecs];
    prefetch(b + 8 * args.b_stride);
    if constexpr (kVecs > 1) {
      prefetch(b + 8 * args.b_stride + V::kLanes);
    }
    MANTISSA_UNROLL
    for (int v = 0; v < kVecs; ++v) {
      bv[v] = Element::load(b + v * V::kLanes);
    }
    MANTISSA_UNROLL
    for (int i = 0; i < kRows; ++i) {
      const auto av =
          Element::fill(kA == TileA::packed_rows    ? a[0] + i * kTileStride
                        : kA == TileA::strided_rows ? a[i / 3 % kPointers] + i % 3 * stride
                                                    : a[0] + i);
      MANTISSA_UNROLL
      for (int v = 0; v < kVecs; ++v) {
        sum[i][v] = Element::multiply_add(av, bv[v], sum[i][v]);
      }
    }
    MANTISSA_UNROLL
    for (int i = 0; i < kPointers; ++i) {
      a[i] += kA == TileA::packed_columns ? kTileRows : kA == TileA::strided_columns ? stride : 1;
    }
    b += args.b_stride;
  }
  const V alpha(args.alpha);
  const bool full = args.cols == kVecs * V::kLanes;
  MANTISSA_UNROLL
  for (int i = 0; i < kRows; ++i) {
    T* c = args.c + i * args.c_stride;
    MANTISSA_UNROLL
    for (int v = 0; v < kVecs; ++v) {
      const int first = v * V::kLanes;
      V y = alpha * sum[i][v];
      if (full) {
        y = args.bias != nullptr ? y + load(args.bias + first) : y;
        store(c + first, args.add ? y + load(c + first) : y);
      } else if (first < args.cols) {
        const int n = std::min(args.cols - first, V::kLanes);
        y = args.bias != nullptr ? y + load_n(args.bias + first, n) : y;
        store_n(c + first, args.add ? y + load_n(c + first, n) : y, n);
      }
    }
  }
}

template <typename E, int kVecs, TileA kA, int... kRows>
constexpr std::array<TileKernel<E>, kTileRows> tile_row(std::integer_sequence<int, kRows...>) {
  return {&tile<E, kRows + 1, kVecs, kA>...};
}

/// An 8 by 8 block: dst[k][i] = src[i][k].
MANTISSA_INLINE void transpose8(const float* src, std::int64_t src_stride, float* dst,
                                std::int64_t dst_stride) {
#if defined(__AVX2__)
  __m256 r[8], t[8];
  for (int i = 0; i < 8; ++i) {
    r[i] = _mm256_loadu_ps(src + i * src_stride);
  }
  for (int i = 0; i < 4; ++i) {
    t[2 * i] = _mm256_unpacklo_ps(r[2 * i], r[2 * i + 1]);
    t[2 * i + 1] = _mm256_unpackhi_ps(r[2 * i], r[2 * i + 1]);
  }
  for (int h = 0; h < 2; ++h) {
    r[4 * h] = _mm256_shuffle_ps(t[4 * h], t[4 * h + 2], 0x44);
    r[4 * h + 1] = _mm256_shuffle_ps(t[4 * h], t[4 * h + 2], 0xEE);
    r[4 * h + 2] = _mm256_shuffle_ps(t[4 * h + 1], t[4 * h + 3], 0x44);
    r[4 * h + 3] = _mm256_shuffle_ps(t[4 * h + 1], t[4 * h + 3], 0xEE);
  }
  for (int i = 0; i < 4; ++i) {
    _mm256_storeu_ps(dst + i * dst_stride, _mm256_permute2f128_ps(r[i], r[i + 4], 0x20));
    _mm256_storeu_ps(dst + (i + 4) * dst_stride, _mm256_permute2f128_ps(r[i], r[i + 4], 0x31));
  }
#else
  for (int i = 0; i < 8; ++i) {
    for (int k = 0; k < 8; ++k) {
      dst[k * dst_stride + i] = src[i * src_stride + k];
    }
  }
#endif
}

}  // namespace

template <typename T>
TileKernel<T> tile_kernel(int rows, bool wide, TileA a) {
  using Rows = std::make_integer_sequence<int, kTileRows>;
  static constexpr std::array<TileKernel<T>, kTileRows> kTable[2][4] = {
      {tile_row<T, 1, TileA::packed_rows>(Rows{}), tile_row<T, 1, TileA::packed_columns>(Rows{}),
       tile_row<T, 1, TileA::strided_rows>(Rows{}), tile_row<T, 1, TileA::strided_columns>(Rows{})},
      {tile_row<T, 2, TileA::packed_rows>(Rows{}), tile_row<T, 2, TileA::packed_columns>(Rows{}),
       tile_row<T, 2, TileA::strided_rows>(Rows{}),
       tile_row<T, 2, TileA::strided_columns>(Rows{})}};
  return kTable[wide ? 1 : 0][static_cast<std::size_t>(a)][static_cast<std::size_t>(rows - 1)];
}
template TileKernel<float> tile_kernel<float>(int, bool, TileA);
template TileKernel<double> tile_kernel<double>(int, bool, TileA);

template <>
TileKernel<Bf16Pair> tile_kernel<Bf16Pair>(int rows, bool wide, TileA a) {
#if defined(__AVX512BF16__)
  using Rows = std::make_integer_sequence<int, kTileRows>;
  static constexpr std::array<TileKernel<Bf16Pair>, kTileRows> kTable[2][2] = {
      {tile_row<Bf16Pair, 1, TileA::packed_columns>(Rows{}),
       tile_row<Bf16Pair, 1, TileA::strided_rows>(Rows{})},
      {tile_row<Bf16Pair, 2, TileA::packed_columns>(Rows{}),
       tile_row<Bf16Pair, 2, TileA::strided_rows>(Rows{})}};
  return kTable[wide ? 1 : 0][a == TileA::strided_rows ? 1 : 0][static_cast<std::size_t>(rows - 1)];
#else
  (void)rows, (void)wide, (void)a;
  return nullptr;  // never called: see kMultipliesBf16
#endif
}

void pack_pairs(const bfloat16* a, std::int64_t stride, std::int64_t row, int rows,
                std::int64_t depth_end, std::int64_t k0, std::int64_t depth, Bf16Pair* dst) {
#if defined(__AVX512BF16__)
  const auto mask = static_cast<__mmask16>((1u << rows) - 1);
  for (std::int64_t k = k0; k < k0 + depth; ++k, dst += kTileRows) {
    const bfloat16* from = a + 2 * k * stride + row;
    const __m256i first = _mm256_maskz_loadu_epi16(mask, from);
    const __m256i second = 2 * k + 1 < depth_end ? _mm256_maskz_loadu_epi16(mask, from + stride)
                                                 : _mm256_setzero_si256();
    const __m512i pairs = _mm512_or_si512(_mm512_cvtepu16_epi32(first),
                                          _mm512_slli_epi32(_mm512_cvtepu16_epi32(second), 16));
    _mm512_mask_storeu_epi32(dst, mask, pairs);
  }
#else
  (void)a, (void)stride, (void)row, (void)rows, (void)depth_end, (void)k0, (void)depth, (void)dst;
#endif
}

template <typename S, typename T>
void pack_panel(const S* b, std::int64_t stride, bool transposed, std::int64_t n, int cols,
                std::int64_t depth, T* dst) {
  constexpr int kCols = kTileCols<T>;
  if (!transposed) {
    for (std::int64_t k = 0; k < depth; ++k) {
      T* row = dst + k * kCols;
      widen(b + k * stride + n, cols, row);
      std::fill(row + cols, row + kCols, T(0));
    }
    return;
  }
  constexpr int kPiece = 64;
  for (std::int64_t k0 = 0; k0 < depth; k0 += kPiece) {
    const int piece = static_cast<int>(std::min<std::int64_t>(kPiece, depth - k0));
    T* block = dst + k0 * kCols;
    for (int i0 = 0; i0 < kCols; i0 += 8) {
      const int rows = std::clamp(cols - i0, 0, 8);
      const S* src = b + (n + i0) * stride + k0;
      if constexpr (std::is_same_v<T, float>) {
        if (rows == 8 && piece == kPiece) {
          float wide[std::is_same_v<S, float> ? 1 : 8 * kPiece];
          const float* from = nullptr;
          std::int64_t from_stride = stride;
          if constexpr (std::is_same_v<S, float>) {
            from = src;
          } else {
            for (int i = 0; i < 8; ++i) {
              widen(src + i * stride, kPiece, wide + i * kPiece);
            }
            from = wide;
            from_stride = kPiece;
          }
          for (int k = 0; k < kPiece; k += 8) {
            transpose8(from + k, from_stride, block + k * kCols + i0, kCols);
          }
          continue;
        }
      }
      for (int k = 0; k < piece; ++k) {
        for (int i = 0; i < 8 && i0 + i < kCols; ++i) {
          block[k * kCols + i0 + i] = i < rows ? static_cast<T>(src[i * stride + k]) : T(0);
        }
      }
    }
  }
}
template void pack_panel<float, float>(const float*, std::int64_t, bool, std::int64_t, int,
                                       std::int64_t, float*);
template void pack_panel<float16, float>(const float16*, std::int64_t, bool, std::int64_t, int,
                                         std::int64_t, float*);
template void pack_panel<bfloat16, float>(const bfloat16*, std::int64_t, bool, std::int64_t, int,
                                          std::int64_t, float*);
template void pack_panel<double, double>(const double*, std::int64_t, bool, std::int64_t, int,
                                         std::int64_t, double*);

#if defined(__AVX512BF16__)
/// Prefetch distance of packed rows in cache lines: weights come from memory, one line of each of
/// 16 rows at a time, more streams than the hardware prefetcher tracks.
constexpr int kLinesAhead = 8;

/// A 16 by 16 block of 32-bit words: dst[k][i] = src[i][k].
MANTISSA_INLINE void transpose16(const void* src, std::int64_t src_bytes, void* dst,
                                 std::int64_t dst_bytes) {
  const auto* from = static_cast<const char*>(src);
  auto* to = static_cast<char*>(dst);
  __m512i r[16], t[16];
  MANTISSA_UNROLL
  for (int i = 0; i < 16; ++i) {
    r[i] = _mm512_loadu_si512(from + i * src_bytes);
    prefetch(from + i * src_bytes + kLinesAhead * 64);
  }
  MANTISSA_UNROLL
  for (int i = 0; i < 16; i += 2) {
    t[i] = _mm512_unpacklo_epi32(r[i], r[i + 1]);
    t[i + 1] = _mm512_unpackhi_epi32(r[i], r[i + 1]);
  }
  // r[4·g + c], lane l: column 4·l + c of rows 4·g to 4·g + 3.
  MANTISSA_UNROLL
  for (int i = 0; i < 16; i += 4) {
    r[i] = _mm512_unpacklo_epi64(t[i], t[i + 2]);
    r[i + 1] = _mm512_unpackhi_epi64(t[i], t[i + 2]);
    r[i + 2] = _mm512_unpacklo_epi64(t[i + 1], t[i + 3]);
    r[i + 3] = _mm512_unpackhi_epi64(t[i + 1], t[i + 3]);
  }
  MANTISSA_UNROLL
  for (int c = 0; c < 4; ++c) {
    const __m512i even_low = _mm512_shuffle_i32x4(r[c], r[4 + c], 0x88),
                  even_high = _mm512_shuffle_i32x4(r[8 + c], r[12 + c], 0x88),
                  odd_low = _mm512_shuffle_i32x4(r[c], r[4 + c], 0xDD),
                  odd_high = _mm512_shuffle_i32x4(r[8 + c], r[12 + c], 0xDD);
    _mm512_storeu_si512(to + c * dst_bytes, _mm512_shuffle_i32x4(even_low, even_high, 0x88));
    _mm512_storeu_si512(to + (4 + c) * dst_bytes, _mm512_shuffle_i32x4(odd_low, odd_high, 0x88));
    _mm512_storeu_si512(to + (8 + c) * dst_bytes, _mm512_shuffle_i32x4(even_low, even_high, 0xDD));
    _mm512_storeu_si512(to + (12 + c) * dst_bytes, _mm512_shuffle_i32x4(odd_low, odd_high, 0xDD));
  }
}

template <>
void pack_panel<bfloat16, Bf16Pair>(const bfloat16* b, std::int64_t stride, bool transposed,
                                    std::int64_t n, int cols, std::int64_t depth, Bf16Pair* dst) {
  constexpr int kCols = kTileCols<Bf16Pair>;
  constexpr int kBlock = 16;
  if (transposed) {
    // A pair is one 32-bit word of a row: words are moved, regardless of their value.
    const std::int64_t pairs = depth / 2;
    for (int i0 = 0; i0 < kCols; i0 += kBlock) {
      for (std::int64_t k0 = 0; k0 < pairs; k0 += kBlock) {
        const bfloat16* rows = b + (n + i0) * stride + 2 * k0;
        Bf16Pair* block = dst + k0 * kCols + i0;
        if (i0 + kBlock <= cols && k0 + kBlock <= pairs) {
          transpose16(rows, stride * 2, block, kCols * 4);
          continue;
        }
        for (std::int64_t k = 0; k < std::min<std::int64_t>(kBlock, pairs - k0); ++k) {
          for (int i = 0; i < kBlock; ++i) {
            const bfloat16* from = rows + i * stride + 2 * k;
            block[k * kCols + i] = i0 + i < cols ? Bf16Pair{from[0], from[1]} : Bf16Pair{};
          }
        }
      }
    }
    return;
  }
  const auto mask = static_cast<__mmask32>((std::uint64_t{1} << cols) - 1);
  // Positions of the interleaved first and second halves of two rows of 32.
  alignas(64) std::uint16_t order[2][32];
  for (int i = 0; i < 32; ++i) {
    order[0][i] = static_cast<std::uint16_t>(i / 2 + i % 2 * 32);
    order[1][i] = static_cast<std::uint16_t>(order[0][i] + 16);
  }
  const __m512i low = _mm512_load_si512(order[0]), high = _mm512_load_si512(order[1]);
  for (std::int64_t k = 0; k < depth; k += 2, dst += kCols) {
    const bfloat16* row = b + k * stride + n;
    prefetch(row + 2 * kLinesAhead * stride);
    prefetch(row + (2 * kLinesAhead + 1) * stride);
    const __m512i even = _mm512_maskz_loadu_epi16(mask, row);
    const __m512i odd =
        k + 1 < depth ? _mm512_maskz_loadu_epi16(mask, row + stride) : _mm512_setzero_si512();
    _mm512_storeu_si512(dst, _mm512_permutex2var_epi16(even, low, odd));
    _mm512_storeu_si512(dst + kCols / 2, _mm512_permutex2var_epi16(even, high, odd));
  }
}
#endif

}  // namespace mantissa::MANTISSA_ISA
