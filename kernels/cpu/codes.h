#pragma once
// Decodes codes and packs frozen weights of codes into the panels of GEMMs.

#include <algorithm>
#include <cstdint>
#include <type_traits>

#include "kernels/cpu/tile.h"
#include "kernels/dtype.h"
#include "kernels/nf4.h"
#include "kernels/view.h"
#include "kernels/weight_codes.h"

namespace mantissa::MANTISSA_ISA {

// -- a register of codes -------------------------------------------------------------------------

// An FP8 code becomes the fp16 number with the same fields, which the processor widens at full
// speed, subnormal or not. E4M3 has an exponent bias smaller by 8 and one NaN, all ones, which
// would be an ordinary number in fp16.
#if defined(__AVX512F__) && defined(__AVX512BW__) && defined(__AVX512DQ__) && defined(__AVX512VL__)
MANTISSA_INLINE Vec<float> values_of(const float8_e5m2* p) {
  const __m128i codes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
  return _mm512_cvtph_ps(_mm256_slli_epi16(_mm256_cvtepu8_epi16(codes), 8));
}
MANTISSA_INLINE Vec<float> values_of(const float8_e4m3* p) {
  const __m128i codes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
  const __m256i high = _mm256_slli_epi16(_mm256_cvtepu8_epi16(codes), 8);
  const __m256i half = _mm256_and_si256(_mm256_srai_epi16(high, 1), _mm256_set1_epi16(-0x4080));
  const __m256i ones = _mm256_set1_epi16(0x3f80);
  const __m256i nan = _mm256_cmpeq_epi16(_mm256_and_si256(half, ones), ones);
  const __m256i fixed =
      _mm256_xor_si256(half, _mm256_and_si256(nan, _mm256_set1_epi16(0x3f80 ^ 0x7e00)));
  return _mm512_mul_ps(_mm512_cvtph_ps(fixed), _mm512_set1_ps(0x1p8F));
}
MANTISSA_INLINE Vec<float> values_of(const int8_code* p) {
  const __m128i codes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
  return _mm512_cvtepi32_ps(_mm512_cvtepi8_epi32(codes));
}
/// x rounded to bf16. NaN from `values_of` is quiet, so rounding can't carry into its sign.
MANTISSA_INLINE Vec<float> round_to_bf16(Vec<float> x) {
  const __m512i b = _mm512_castps_si512(x.v);
  const __m512i odd = _mm512_and_si512(_mm512_srli_epi32(b, 16), _mm512_set1_epi32(1));
  const __m512i up = _mm512_add_epi32(b, _mm512_add_epi32(odd, _mm512_set1_epi32(0x7fff)));
  return _mm512_castsi512_ps(_mm512_and_si512(up, _mm512_set1_epi32(-0x10000)));
}
MANTISSA_INLINE Vec<float> round_to_f16(Vec<float> x) {
  return _mm512_cvtph_ps(_mm512_cvtps_ph(x.v, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC));
}
#elif defined(__AVX2__)
MANTISSA_INLINE Vec<float> values_of(const float8_e5m2* p) {
  const __m128i codes = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(p));
  return _mm256_cvtph_ps(_mm_unpacklo_epi8(_mm_setzero_si128(), codes));
}
MANTISSA_INLINE Vec<float> values_of(const float8_e4m3* p) {
  const __m128i codes = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(p));
  const __m128i high = _mm_unpacklo_epi8(_mm_setzero_si128(), codes);
  const __m128i half = _mm_and_si128(_mm_srai_epi16(high, 1), _mm_set1_epi16(-0x4080));
  const __m128i ones = _mm_set1_epi16(0x3f80);
  const __m128i nan = _mm_cmpeq_epi16(_mm_and_si128(half, ones), ones);
  const __m128i fixed = _mm_xor_si128(half, _mm_and_si128(nan, _mm_set1_epi16(0x3f80 ^ 0x7e00)));
  return _mm256_mul_ps(_mm256_cvtph_ps(fixed), _mm256_set1_ps(0x1p8F));
}
MANTISSA_INLINE Vec<float> values_of(const int8_code* p) {
  const __m128i codes = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(p));
  return _mm256_cvtepi32_ps(_mm256_cvtepi8_epi32(codes));
}
/// x rounded to bf16. NaN from `values_of` is quiet, so rounding can't carry into its sign.
MANTISSA_INLINE Vec<float> round_to_bf16(Vec<float> x) {
  const __m256i b = _mm256_castps_si256(x.v);
  const __m256i odd = _mm256_and_si256(_mm256_srli_epi32(b, 16), _mm256_set1_epi32(1));
  const __m256i up = _mm256_add_epi32(b, _mm256_add_epi32(odd, _mm256_set1_epi32(0x7fff)));
  return _mm256_castsi256_ps(_mm256_and_si256(up, _mm256_set1_epi32(-0x10000)));
}
MANTISSA_INLINE Vec<float> round_to_f16(Vec<float> x) {
  return _mm256_cvtph_ps(_mm256_cvtps_ph(x.v, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC));
}
#else
template <typename F>
Vec<float> values_of(const F* p) {
  return each_lane([&](int i) { return static_cast<float>(p[i]); });
}
inline Vec<float> round_to_bf16(Vec<float> x) {
  return each_lane([&](int i) { return static_cast<float>(bfloat16(x.v.lane[i])); });
}
inline Vec<float> round_to_f16(Vec<float> x) {
  return each_lane([&](int i) { return static_cast<float>(float16(x.v.lane[i])); });
}
#endif

/// x rounded to S, to be stored as T: S, or the type that widens it.
template <typename S, typename T>
MANTISSA_INLINE Vec<float> rounded_to(Vec<float> x) {
  if constexpr (std::is_same_v<S, bfloat16> && !std::is_same_v<T, S>) {
    return round_to_bf16(x);
  } else if constexpr (std::is_same_v<S, float16> && !std::is_same_v<T, S>) {
    return round_to_f16(x);
  } else {
    return x;
  }
}

/// to[i] = codes[i]·scale, rounded to S. T is S, or the type that widens it.
template <typename S, typename F, typename T>
MANTISSA_INLINE void decode(const F* codes, std::int64_t n, float scale, T* to) {
  const Vec<float> factor(scale);
  const auto value = [&](Vec<float> code) { return rounded_to<S, T>(code * factor); };
  constexpr int kLanes = Vec<float>::kLanes;
  std::int64_t i = 0;
  for (; i + kLanes <= n; i += kLanes) {
    store(to + i, value(values_of(codes + i)));
  }
  if (i < n) {
    const int rest = static_cast<int>(n - i);
    F last[kLanes] = {};
    std::copy(codes + i, codes + n, last);
    store_n(to + i, value(values_of(last)), rest);
  }
}

// -- codes of four bits ----------------------------------------------------------------------------

/// The numbers, of 16, that as many codes name as a register has lanes, in half as many bytes: the
/// first in its byte's upper half.
class FourBitLookup {
 public:
#if defined(__AVX512F__) && defined(__AVX512BW__) && defined(__AVX512DQ__) && defined(__AVX512VL__)
  explicit FourBitLookup(const float* numbers) : values_(_mm512_loadu_ps(numbers)) {}
  MANTISSA_INLINE Vec<float> operator()(const std::uint8_t* p) const {
    const __m128i pairs = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(p));
    return _mm512_permutexvar_ps(_mm512_cvtepu8_epi32(codes_in(pairs)), values_);
  }
#elif defined(__AVX2__)
  explicit FourBitLookup(const float* numbers)
      : low_(_mm256_loadu_ps(numbers)), high_(_mm256_loadu_ps(numbers + 8)) {}
  MANTISSA_INLINE Vec<float> operator()(const std::uint8_t* p) const {
    int word;
    std::memcpy(&word, p, sizeof(word));
    const __m256i codes = _mm256_cvtepu8_epi32(codes_in(_mm_cvtsi32_si128(word)));
    const __m256 upper = _mm256_castsi256_ps(_mm256_slli_epi32(codes, 28));  // bit 3 as the sign
    return _mm256_blendv_ps(_mm256_permutevar8x32_ps(low_, codes),
                            _mm256_permutevar8x32_ps(high_, codes), upper);
  }
#else
  explicit FourBitLookup(const float* numbers) : numbers_(numbers) {}
  Vec<float> operator()(const std::uint8_t* p) const {
    return each_lane([&](int i) { return numbers_[i % 2 == 0 ? p[i / 2] >> 4 : p[i / 2] & 15]; });
  }
#endif

 private:
#if defined(__AVX2__)
  /// One code a byte.
  static MANTISSA_INLINE __m128i codes_in(__m128i pairs) {
    const __m128i mask = _mm_set1_epi8(15);
    return _mm_unpacklo_epi8(_mm_and_si128(_mm_srli_epi16(pairs, 4), mask),
                             _mm_and_si128(pairs, mask));
  }
#endif
#if defined(__AVX512F__) && defined(__AVX512BW__) && defined(__AVX512DQ__) && defined(__AVX512VL__)
  __m512 values_;
#elif defined(__AVX2__)
  __m256 low_, high_;
#else
  const float* numbers_;
#endif
};

// -- NF4 -------------------------------------------------------------------------------------------

/// Values [first, first + n) of NF4, rounded to S. T is S, or the type that widens it.
template <typename S, typename T>
MANTISSA_INLINE void decode_nf4(const Nf4Codes& from, std::int64_t first, std::int64_t n, T* to) {
  constexpr int kLanes = Vec<float>::kLanes;
  const FourBitLookup lookup(kNf4Values.data());
  while (n > 0) {
    const std::int64_t count = std::min(n, kNf4Block - first % kNf4Block);
    const Vec<float> scale(from.scale(first / kNf4Block));
    std::int64_t i = 0;
    if (first % 2 == 0) {
      for (; i + kLanes <= count; i += kLanes) {
        store(to + i, rounded_to<S, T>(lookup(from.codes + (first + i) / 2) * scale));
      }
    }
    while (i < count) {
      const int rest = static_cast<int>(std::min<std::int64_t>(kLanes, count - i));
      float numbers[kLanes] = {};
      for (int j = 0; j < rest; ++j) {
        numbers[j] = kNf4Values[static_cast<std::size_t>(from.code(first + i + j))];
      }
      store_n(to + i, rounded_to<S, T>(load(numbers) * scale), rest);
      i += rest;
    }
    first += count;
    to += count;
    n -= count;
  }
}

// -- weights ---------------------------------------------------------------------------------------

/// A frozen weight of codes F, read as values of S: value[row][i] = S(code[row][i]·scale[row]).
template <typename F, typename S>
struct Codes {
  const F* data;
  const float* scale;   ///< null: 1 for all rows
  std::int64_t stride;  ///< codes from a row to the next

  template <typename T>
  MANTISSA_INLINE void read(std::int64_t row, std::int64_t begin, std::int64_t n, T* to) const {
    decode<S>(data + row * stride + begin, n, scale != nullptr ? scale[row] : 1.0F, to);
  }
  /// Prefetches: packing reads one cache line from each of many rows at a time, more streams than
  /// the processor prefetches by itself.
  MANTISSA_INLINE void expect(std::int64_t row, std::int64_t begin) const {
    prefetch(data + row * stride + begin);
  }
};

/// A weight's rows in NF4.
template <typename S>
struct Nf4Weight {
  Nf4Codes codes;
  std::int64_t stride;  ///< values from a row to the next

  template <typename T>
  MANTISSA_INLINE void read(std::int64_t row, std::int64_t begin, std::int64_t n, T* to) const {
    decode_nf4<S>(codes, row * stride + begin, n, to);
  }
  MANTISSA_INLINE void expect(std::int64_t row, std::int64_t begin) const {
    prefetch(codes.codes + (row * stride + begin) / 2);
  }
};

/// Calls use(codes) with what reads a weight in pieces (is_read_in_pieces) as values of S: its rows
/// are `stride` apart.
template <typename S, typename Use>
void with_codes(const View& weight, std::int64_t stride, Use&& use) {
  if (is_nf4(weight.dtype)) {
    use(Nf4Weight<S>{nf4_codes(weight.data, weight.dtype, weight.count()), stride});
    return;
  }
  dispatch_codes(weight.dtype, [&]<typename F>() {
    use(Codes<F, S>{weight.as<F>(), weight.scale, stride});
  });
}

/// The source of panels of E: bf16 values for pairs, else fp32 values.
template <typename E>
using packed_from_t = std::conditional_t<std::is_same_v<E, Bf16Pair>, bfloat16, E>;

/// pack_panel for codes, of either kind: the same panel as from the decoded weight, bit for bit.
template <typename C, typename E>
void pack_codes(const C& b, bool transposed, std::int64_t n, int cols, std::int64_t depth, E* dst) {
  using W = packed_from_t<E>;
  constexpr int kCols = kTileCols<E>, kPer = TileElement<E>::kDepth;
  constexpr std::int64_t kPiece = 64, kRowsAhead = 16;
  if constexpr (!std::is_same_v<E, Bf16Pair>) {
    if (!transposed) {
      for (std::int64_t k = 0; k < depth; ++k, dst += kCols) {
        b.expect(k + kRowsAhead, n);
        b.read(k, n, cols, dst);
        std::fill(dst + cols, dst + kCols, E(0));
      }
      return;
    }
  }
  alignas(64) W piece[kPiece * kCols];
  for (std::int64_t k = 0; k < depth; k += kPiece) {
    const std::int64_t count = std::min(kPiece, depth - k);
    for (std::int64_t i = 0; i < (transposed ? cols : count); ++i) {
      if (transposed) {
        b.expect(n + i, k + 4 * kPiece);
        b.read(n + i, k, count, piece + i * kPiece);
      } else {
        b.expect(k + i + kRowsAhead, n);
        b.read(k + i, n, cols, piece + i * kCols);
      }
    }
    pack_panel(static_cast<const W*>(piece), transposed ? kPiece : kCols, transposed, 0, cols,
               count, dst + k / kPer * kCols);
  }
}

}  // namespace mantissa::MANTISSA_ISA
