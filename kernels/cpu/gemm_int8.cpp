// GEMMs of int8 codes, whose products are added up exactly in 32 bits.
#include "kernels/cpu/gemm_int8.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

#include "kernels/cpu/gemm_blocks.h"
#include "kernels/cpu/tile.h"

namespace mantissa::MANTISSA_ISA {
namespace {

using Code = std::int8_t;
/// Neighbours along the depth, which one instruction multiplies and adds up.
using Word = std::uint32_t;

#if defined(__AVX512VNNI__)
/// The instruction takes A's codes without a sign. They are stored 128 larger, so that 128 times
/// the sum of B's column is left to subtract.
constexpr int kOffset = 128;
using Stored = std::uint8_t;
#else
constexpr int kOffset = 0;
using Stored = std::int16_t;
#endif

// The sums of one register: zero, read, written, and the products of one word of A with a register
// of B's words added.
#if defined(__AVX512BW__)
struct Sums {
  static constexpr int kLanes = 16;
  __m512i v;
  static MANTISSA_INLINE Sums zero() { return {_mm512_setzero_si512()}; }
  static MANTISSA_INLINE Sums load(const void* p) { return {_mm512_loadu_si512(p)}; }
  MANTISSA_INLINE void store(void* p) const { _mm512_storeu_si512(p, v); }
  MANTISSA_INLINE void add(Word a, Sums b) {
    const __m512i word = _mm512_set1_epi32(static_cast<int>(a));
#if defined(__AVX512VNNI__)
    v = _mm512_dpbusd_epi32(v, word, b.v);
#else
    v = _mm512_add_epi32(v, _mm512_madd_epi16(word, b.v));
#endif
  }
};
#elif defined(__AVX2__)
struct Sums {
  static constexpr int kLanes = 8;
  __m256i v;
  static MANTISSA_INLINE Sums zero() { return {_mm256_setzero_si256()}; }
  static MANTISSA_INLINE Sums load(const void* p) {
    return {_mm256_loadu_si256(static_cast<const __m256i*>(p))};
  }
  MANTISSA_INLINE void store(void* p) const { _mm256_storeu_si256(static_cast<__m256i*>(p), v); }
  MANTISSA_INLINE void add(Word a, Sums b) {
    v = _mm256_add_epi32(v, _mm256_madd_epi16(_mm256_set1_epi32(static_cast<int>(a)), b.v));
  }
};
#else
struct Sums {
  static constexpr int kLanes = 8;
  std::int32_t v[kLanes];
  static Sums zero() { return {}; }
  static Sums load(const void* p) {
    Sums s;
    std::memcpy(s.v, p, sizeof(s.v));
    return s;
  }
  void store(void* p) const { std::memcpy(p, v, sizeof(v)); }
  void add(Word a, Sums b) {
    Stored x[2], y[2 * kLanes];
    std::memcpy(x, &a, sizeof(x));
    std::memcpy(y, b.v, sizeof(y));
    for (int i = 0; i < kLanes; ++i) {
      v[i] += x[0] * y[2 * i] + x[1] * y[2 * i + 1];
    }
  }
};
#endif

/// Codes in a word.
constexpr int kPer = static_cast<int>(sizeof(Word) / sizeof(Stored));
constexpr int kCols = 2 * Sums::kLanes;
/// Words of depth at a time: B's panel then stays in the nearest caches.
constexpr std::int64_t kWords = 256;

// -- packing ---------------------------------------------------------------------------------------

/// Rows of A as words, `stride` words apart, zeros beyond the depth.
void pack_a(const Code* a, std::int64_t depth, std::int64_t rows, std::int64_t stride, Word* to) {
  for (std::int64_t i = 0; i < rows; ++i) {
    auto* row = reinterpret_cast<Stored*>(to + i * stride);
    const Code* from = a + i * depth;
    for (std::int64_t k = 0; k < depth; ++k) {
      row[k] = static_cast<Stored>(from[k] + kOffset);
    }
    std::fill(row + depth, row + ceil_div(depth, kPer) * kPer, Stored(0));
  }
}

/// Codes of B: [n, k] if transposed, else [k, n].
struct MatrixB {
  const Code* data;
  bool transposed;
  std::int64_t n, k;
  Code at(std::int64_t depth, std::int64_t column) const {
    return transposed ? data[column * k + depth] : data[depth * n + column];
  }
};

/// Any panel, one code at a time.
void pack_slowly(const MatrixB& b, std::int64_t column, int cols, std::int64_t first, Word* panel) {
  using Signed = std::make_signed_t<Stored>;
  for (std::int64_t k = first; k < b.k; k += kPer) {
    auto* to = reinterpret_cast<Signed*>(panel + k / kPer * kCols);
    for (int c = 0; c < kCols; ++c) {
      for (int p = 0; p < kPer; ++p) {
        *to++ = c < cols && k + p < b.k ? Signed{b.at(k + p, column + c)} : Signed{0};
      }
    }
  }
}

#if defined(__AVX512VNNI__)
/// Four rows of 32 columns, their codes side by side.
MANTISSA_INLINE void interleave(const Code* row, std::int64_t stride, Word* to) {
  __m256i r[4];
  MANTISSA_UNROLL
  for (int i = 0; i < 4; ++i) {
    r[i] = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(row + i * stride));
    prefetch(row + (i + 32) * stride);
  }
  const __m256i low01 = _mm256_unpacklo_epi8(r[0], r[1]), low23 = _mm256_unpacklo_epi8(r[2], r[3]),
                high01 = _mm256_unpackhi_epi8(r[0], r[1]),
                high23 = _mm256_unpackhi_epi8(r[2], r[3]);
  // Columns 0-3 and 16-19, and so on.
  const __m256i q[4] = {_mm256_unpacklo_epi16(low01, low23), _mm256_unpackhi_epi16(low01, low23),
                        _mm256_unpacklo_epi16(high01, high23),
                        _mm256_unpackhi_epi16(high01, high23)};
  auto* out = reinterpret_cast<__m256i*>(to);
  _mm256_storeu_si256(out, _mm256_permute2x128_si256(q[0], q[1], 0x20));
  _mm256_storeu_si256(out + 1, _mm256_permute2x128_si256(q[2], q[3], 0x20));
  _mm256_storeu_si256(out + 2, _mm256_permute2x128_si256(q[0], q[1], 0x31));
  _mm256_storeu_si256(out + 3, _mm256_permute2x128_si256(q[2], q[3], 0x31));
}
#endif

/// Columns [column, column + cols) of B as [words][kCols], then what to subtract from each column's
/// sums.
void pack_b(const MatrixB& b, std::int64_t column, int cols, Word* panel) {
  const std::int64_t words = ceil_div(b.k, kPer);
  Word* const rest = panel + words * kCols;
#if defined(__AVX512VNNI__)
  if (b.transposed && b.k % kPer == 0) {
    // A word of a row is moved as it is, like a pair of bf16.
    pack_panel(reinterpret_cast<const bfloat16*>(b.data), b.k / 2, true, column, cols, b.k / 2,
               reinterpret_cast<Bf16Pair*>(panel));
  } else {
    std::int64_t k = 0;
    for (; !b.transposed && cols == kCols && k + kPer <= b.k; k += kPer) {
      interleave(b.data + k * b.n + column, b.n, panel + k / kPer * kCols);
    }
    pack_slowly(b, column, cols, k, panel);
  }
  Sums low = Sums::zero(), high = Sums::zero();
  constexpr Word kOffsets = kOffset * 0x01010101u;
  for (std::int64_t w = 0; w < words; ++w) {
    low.add(kOffsets, Sums::load(panel + w * kCols));
    high.add(kOffsets, Sums::load(panel + w * kCols + Sums::kLanes));
  }
  low.store(rest);
  high.store(rest + Sums::kLanes);
#else
  pack_slowly(b, column, cols, 0, panel);
  std::fill(rest, rest + kCols, 0u);
#endif
}

// -- products --------------------------------------------------------------------------------------

/// c[rows][kCols] (+)= A·B over `words`; rows of A and C lie apart by their strides.
template <int kRows>
void tile(const Word* a, std::int64_t a_stride, const Word* b, std::int64_t words, std::int32_t* c,
          std::int64_t c_stride, bool add) {
  Sums sum[kRows][2];
  MANTISSA_UNROLL
  for (int i = 0; i < kRows; ++i) {
    std::int32_t* row = c + i * c_stride;
    sum[i][0] = add ? Sums::load(row) : Sums::zero();
    sum[i][1] = add ? Sums::load(row + Sums::kLanes) : Sums::zero();
  }
  for (std::int64_t w = 0; w < words; ++w, b += kCols) {
    const Sums b0 = Sums::load(b), b1 = Sums::load(b + Sums::kLanes);
    prefetch(b + 8 * kCols);
    prefetch(b + 8 * kCols + Sums::kLanes);
    MANTISSA_UNROLL
    for (int i = 0; i < kRows; ++i) {
      const Word word = a[i * a_stride + w];
      sum[i][0].add(word, b0);
      sum[i][1].add(word, b1);
    }
  }
  MANTISSA_UNROLL
  for (int i = 0; i < kRows; ++i) {
    sum[i][0].store(c + i * c_stride);
    sum[i][1].store(c + i * c_stride + Sums::kLanes);
  }
}

using Tile = void (*)(const Word*, std::int64_t, const Word*, std::int64_t, std::int32_t*,
                      std::int64_t, bool);
template <int... kRows>
constexpr std::array<Tile, sizeof...(kRows)> tiles_of(std::integer_sequence<int, kRows...>) {
  return {&tile<kRows + 1>...};
}
constexpr auto kTiles = tiles_of(std::make_integer_sequence<int, kTileRows>{});

/// The sums of a block: rows of A from `a`, panels of B from `panels`, `panel` words apart.
void multiply_block(const Word* a, std::int64_t a_stride, std::int64_t rows, const Word* panels,
                    std::int64_t panel, std::int64_t words, std::int64_t count, std::int32_t* c) {
  const std::int64_t tiles = ceil_div(rows, kTileRows), c_stride = count * kCols;
  for (std::int64_t w = 0; w < words; w += kWords) {
    const std::int64_t depth = std::min(kWords, words - w);
    for (std::int64_t p = 0; p < count; ++p) {
      for (std::int64_t t = 0; t < tiles; ++t) {
        const std::int64_t first = rows * t / tiles, more = rows * (t + 1) / tiles - first;
        kTiles[static_cast<std::size_t>(more - 1)](
            a + first * a_stride + w, a_stride, panels + p * panel + w * kCols, depth,
            c + first * c_stride + p * kCols, c_stride, w > 0);
      }
    }
  }
}

/// Row i of the result, from column n0 on, in fp32: `sums` less what pack_b left at `rests`, for
/// each panel `panel` words apart, times the scales.
void scaled_sums(const Int8Product& p, std::int64_t i, std::int64_t n0, std::int64_t cols,
                 const std::int32_t* sums, const Word* rests, std::int64_t panel, float* values) {
  const float scale = p.a_scale[p.scale_by_row ? i : 0];
  for (std::int64_t q = 0; q * kCols < cols; ++q, rests += panel) {
    for (std::int64_t c = q * kCols; c < (q + 1) * kCols; ++c) {
      // Both may have wrapped around; their difference hasn't.
      const Word sum = static_cast<Word>(sums[c]) - rests[c - q * kCols];
      values[c] = static_cast<float>(static_cast<std::int32_t>(sum)) * scale;
    }
  }
  if (p.b_scale != nullptr) {
    for (std::int64_t c = 0; c < cols; ++c) {
      values[c] *= p.b_scale[n0 + c];
    }
  }
}

/// `values` of row i, from column n0 on, with addend and bias into the result.
template <typename T>
void store_row(const Int8Product& p, std::int64_t i, std::int64_t n0, std::int64_t cols,
               const float* values, std::int64_t stride) {
  store_block<T>(
      values, stride, 1, cols, p.beta, p.bias ? p.bias.as<T>() + n0 : nullptr,
      [&](std::int64_t) { return p.out.as<T>() + i * p.out.row_stride + n0; },
      [&](std::int64_t) { return p.addend.as<T>() + i * p.addend.row_stride + n0; });
}

}  // namespace

void multiply_int8(ThreadPool& pool, Scratch& scratch, const Int8Product& p) {
  const std::int64_t words = ceil_div(p.k, kPer), panel = (words + 1) * kCols;
  // Rows at multiples of a page would evict each other.
  const std::int64_t a_stride = words % 1024 == 0 ? words + 16 : words;
  const MatrixB b{p.b.as<Code>(), p.transpose_b, p.n, p.k};
  const GemmShare share = share_gemm(p.m, p.n, p.k, panel * static_cast<std::int64_t>(sizeof(Word)),
                                     kCols, pool.threads());
  const auto block_words =
      static_cast<std::size_t>(share.block * a_stride + (share.block + 1) * share.cols);
  const auto pack = [&](std::int64_t column, int cols, Word* to) { pack_b(b, column, cols, to); };
  const auto multiply = [&](std::int64_t m0, std::int64_t m1, std::int64_t n0, std::int64_t n1,
                            const Word* panels, void* memory) {
    const std::int64_t rows = m1 - m0, count = ceil_div(n1 - n0, kCols), c_stride = count * kCols;
    Word* const a = static_cast<Word*>(memory);
    auto* const sums = reinterpret_cast<std::int32_t*>(a + share.block * a_stride);
    auto* const values = reinterpret_cast<float*>(sums + share.block * c_stride);
    pack_a(p.a.as<Code>() + m0 * p.k, p.k, rows, a_stride, a);
    multiply_block(a, a_stride, rows, panels, panel, words, count, sums);
    for (std::int64_t i = 0; i < rows; ++i) {
      scaled_sums(p, m0 + i, n0, n1 - n0, sums + i * c_stride, panels + words * kCols, panel,
                  values);
      if (p.out.dtype == DType::f16) {
        store_row<float16>(p, m0 + i, n0, n1 - n0, values, c_stride);
      } else {
        store_row<bfloat16>(p, m0 + i, n0, n1 - n0, values, c_stride);
      }
    }
  };
  for_shares<Word>(pool, scratch, share, p.m, p.n, kCols, panel, block_words * sizeof(Word), pack,
                   multiply);
}

}  // namespace mantissa::MANTISSA_ISA
