#pragma once
// One SIMD register of float or double.
//
// Included only by sources compiled once per instruction set; MANTISSA_ISA names the namespace, so
// that the copies don't clash.

#include <algorithm>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <cstring>

#include "kernels/dtype.h"

#if defined(__AVX2__) || defined(__AVX512F__)
#include <immintrin.h>
#endif

#ifndef MANTISSA_ISA
#define MANTISSA_ISA isa_base
#endif

#if defined(_MSC_VER) && !defined(__clang__)
#define MANTISSA_INLINE __forceinline
#define MANTISSA_UNROLL
#else
#define MANTISSA_INLINE inline __attribute__((always_inline))
#define MANTISSA_UNROLL _Pragma("GCC unroll 16")
#endif

namespace mantissa::MANTISSA_ISA {

/// One register of T and its instructions, by instruction set. min and max return the second
/// operand where either is NaN: put the data there.
template <typename T>
struct Instructions;

#if defined(__AVX512F__) && defined(__AVX512BW__) && defined(__AVX512DQ__) && defined(__AVX512VL__)
#if defined(__AVX512BF16__)
inline constexpr const char* kIsaName = "avx512 with bf16";
#else
inline constexpr const char* kIsaName = "avx512";
#endif

template <>
struct Instructions<float> {
  using R = __m512;
  static constexpr int kLanes = 16;
  static MANTISSA_INLINE __mmask16 first(int n) { return static_cast<__mmask16>((1u << n) - 1); }
  static MANTISSA_INLINE R fill(float x) { return _mm512_set1_ps(x); }
  static MANTISSA_INLINE R load(const float* p) { return _mm512_loadu_ps(p); }
  static MANTISSA_INLINE R load_n(const float* p, int n) {
    return _mm512_maskz_loadu_ps(first(n), p);
  }
  static MANTISSA_INLINE void store(float* p, R a) { _mm512_storeu_ps(p, a); }
  static MANTISSA_INLINE void store_n(float* p, R a, int n) {
    _mm512_mask_storeu_ps(p, first(n), a);
  }
  static MANTISSA_INLINE R add(R a, R b) { return _mm512_add_ps(a, b); }
  static MANTISSA_INLINE R sub(R a, R b) { return _mm512_sub_ps(a, b); }
  static MANTISSA_INLINE R mul(R a, R b) { return _mm512_mul_ps(a, b); }
  static MANTISSA_INLINE R div(R a, R b) { return _mm512_div_ps(a, b); }
  static MANTISSA_INLINE R min(R a, R b) { return _mm512_min_ps(a, b); }
  static MANTISSA_INLINE R max(R a, R b) { return _mm512_max_ps(a, b); }
  static MANTISSA_INLINE R fma(R a, R b, R c) { return _mm512_fmadd_ps(a, b, c); }
  static MANTISSA_INLINE R sqrt(R a) { return _mm512_sqrt_ps(a); }
  static MANTISSA_INLINE R swap_pairs(R a) { return _mm512_permute_ps(a, 0xb1); }
};
template <>
struct Instructions<double> {
  using R = __m512d;
  static constexpr int kLanes = 8;
  static MANTISSA_INLINE __mmask8 first(int n) { return static_cast<__mmask8>((1u << n) - 1); }
  static MANTISSA_INLINE R fill(double x) { return _mm512_set1_pd(x); }
  static MANTISSA_INLINE R load(const double* p) { return _mm512_loadu_pd(p); }
  static MANTISSA_INLINE R load_n(const double* p, int n) {
    return _mm512_maskz_loadu_pd(first(n), p);
  }
  static MANTISSA_INLINE void store(double* p, R a) { _mm512_storeu_pd(p, a); }
  static MANTISSA_INLINE void store_n(double* p, R a, int n) {
    _mm512_mask_storeu_pd(p, first(n), a);
  }
  static MANTISSA_INLINE R add(R a, R b) { return _mm512_add_pd(a, b); }
  static MANTISSA_INLINE R sub(R a, R b) { return _mm512_sub_pd(a, b); }
  static MANTISSA_INLINE R mul(R a, R b) { return _mm512_mul_pd(a, b); }
  static MANTISSA_INLINE R div(R a, R b) { return _mm512_div_pd(a, b); }
  static MANTISSA_INLINE R min(R a, R b) { return _mm512_min_pd(a, b); }
  static MANTISSA_INLINE R max(R a, R b) { return _mm512_max_pd(a, b); }
  static MANTISSA_INLINE R fma(R a, R b, R c) { return _mm512_fmadd_pd(a, b, c); }
  static MANTISSA_INLINE R sqrt(R a) { return _mm512_sqrt_pd(a); }
  static MANTISSA_INLINE R swap_pairs(R a) { return _mm512_permute_pd(a, 0x55); }
};

#elif defined(__AVX2__)
inline constexpr const char* kIsaName = "avx2";

template <>
struct Instructions<float> {
  using R = __m256;
  static constexpr int kLanes = 8;
  static MANTISSA_INLINE __m256i first(int n) {
    return _mm256_cmpgt_epi32(_mm256_set1_epi32(n), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
  }
  static MANTISSA_INLINE R fill(float x) { return _mm256_set1_ps(x); }
  static MANTISSA_INLINE R load(const float* p) { return _mm256_loadu_ps(p); }
  static MANTISSA_INLINE R load_n(const float* p, int n) { return _mm256_maskload_ps(p, first(n)); }
  static MANTISSA_INLINE void store(float* p, R a) { _mm256_storeu_ps(p, a); }
  static MANTISSA_INLINE void store_n(float* p, R a, int n) { _mm256_maskstore_ps(p, first(n), a); }
  static MANTISSA_INLINE R add(R a, R b) { return _mm256_add_ps(a, b); }
  static MANTISSA_INLINE R sub(R a, R b) { return _mm256_sub_ps(a, b); }
  static MANTISSA_INLINE R mul(R a, R b) { return _mm256_mul_ps(a, b); }
  static MANTISSA_INLINE R div(R a, R b) { return _mm256_div_ps(a, b); }
  static MANTISSA_INLINE R min(R a, R b) { return _mm256_min_ps(a, b); }
  static MANTISSA_INLINE R max(R a, R b) { return _mm256_max_ps(a, b); }
  static MANTISSA_INLINE R fma(R a, R b, R c) { return _mm256_fmadd_ps(a, b, c); }
  static MANTISSA_INLINE R sqrt(R a) { return _mm256_sqrt_ps(a); }
  static MANTISSA_INLINE R swap_pairs(R a) { return _mm256_permute_ps(a, 0xb1); }
};
template <>
struct Instructions<double> {
  using R = __m256d;
  static constexpr int kLanes = 4;
  static MANTISSA_INLINE __m256i first(int n) {
    return _mm256_cmpgt_epi64(_mm256_set1_epi64x(n), _mm256_setr_epi64x(0, 1, 2, 3));
  }
  static MANTISSA_INLINE R fill(double x) { return _mm256_set1_pd(x); }
  static MANTISSA_INLINE R load(const double* p) { return _mm256_loadu_pd(p); }
  static MANTISSA_INLINE R load_n(const double* p, int n) {
    return _mm256_maskload_pd(p, first(n));
  }
  static MANTISSA_INLINE void store(double* p, R a) { _mm256_storeu_pd(p, a); }
  static MANTISSA_INLINE void store_n(double* p, R a, int n) {
    _mm256_maskstore_pd(p, first(n), a);
  }
  static MANTISSA_INLINE R add(R a, R b) { return _mm256_add_pd(a, b); }
  static MANTISSA_INLINE R sub(R a, R b) { return _mm256_sub_pd(a, b); }
  static MANTISSA_INLINE R mul(R a, R b) { return _mm256_mul_pd(a, b); }
  static MANTISSA_INLINE R div(R a, R b) { return _mm256_div_pd(a, b); }
  static MANTISSA_INLINE R min(R a, R b) { return _mm256_min_pd(a, b); }
  static MANTISSA_INLINE R max(R a, R b) { return _mm256_max_pd(a, b); }
  static MANTISSA_INLINE R fma(R a, R b, R c) { return _mm256_fmadd_pd(a, b, c); }
  static MANTISSA_INLINE R sqrt(R a) { return _mm256_sqrt_pd(a); }
  static MANTISSA_INLINE R swap_pairs(R a) { return _mm256_permute_pd(a, 0x5); }
};

#else
inline constexpr const char* kIsaName = "portable";

/// Plain arrays: correct everywhere, as fast as the compiler's vectorization.
template <typename T>
struct Instructions {
  static constexpr int kLanes = 32 / sizeof(T);
  struct R {
    T lane[kLanes];
  };
  template <typename F>
  static R each(F f) {
    R r;
    for (int i = 0; i < kLanes; ++i) {
      r.lane[i] = f(i);
    }
    return r;
  }
  static R fill(T x) {
    return each([&](int) { return x; });
  }
  static R load(const T* p) {
    return each([&](int i) { return p[i]; });
  }
  static R load_n(const T* p, int n) {
    return each([&](int i) { return i < n ? p[i] : T(0); });
  }
  static void store(T* p, R a) { std::copy(a.lane, a.lane + kLanes, p); }
  static void store_n(T* p, R a, int n) { std::copy(a.lane, a.lane + n, p); }
  static R add(R a, R b) {
    return each([&](int i) { return a.lane[i] + b.lane[i]; });
  }
  static R sub(R a, R b) {
    return each([&](int i) { return a.lane[i] - b.lane[i]; });
  }
  static R mul(R a, R b) {
    return each([&](int i) { return a.lane[i] * b.lane[i]; });
  }
  static R div(R a, R b) {
    return each([&](int i) { return a.lane[i] / b.lane[i]; });
  }
  static R min(R a, R b) {
    return each([&](int i) { return a.lane[i] < b.lane[i] ? a.lane[i] : b.lane[i]; });
  }
  static R max(R a, R b) {
    return each([&](int i) { return a.lane[i] > b.lane[i] ? a.lane[i] : b.lane[i]; });
  }
  static R fma(R a, R b, R c) { return add(mul(a, b), c); }
  static R sqrt(R a) {
    return each([&](int i) { return std::sqrt(a.lane[i]); });
  }
  static R swap_pairs(R a) {
    return each([&](int i) { return a.lane[i ^ 1]; });
  }
};
#endif

/// One register of T, with operators lane by lane.
template <typename T>
struct Vec {
  using I = Instructions<T>;
  static constexpr int kLanes = I::kLanes;
  typename I::R v;
  Vec() = default;
  MANTISSA_INLINE Vec(typename I::R x) : v(x) {}
  MANTISSA_INLINE explicit Vec(T x) : v(I::fill(x)) {}
};
template <typename T>
MANTISSA_INLINE Vec<T> operator+(Vec<T> a, Vec<T> b) {
  return Instructions<T>::add(a.v, b.v);
}
template <typename T>
MANTISSA_INLINE Vec<T> operator-(Vec<T> a, Vec<T> b) {
  return Instructions<T>::sub(a.v, b.v);
}
template <typename T>
MANTISSA_INLINE Vec<T> operator*(Vec<T> a, Vec<T> b) {
  return Instructions<T>::mul(a.v, b.v);
}
template <typename T>
MANTISSA_INLINE Vec<T> operator/(Vec<T> a, Vec<T> b) {
  return Instructions<T>::div(a.v, b.v);
}
/// The second operand where either is NaN: put the data there.
template <typename T>
MANTISSA_INLINE Vec<T> vmin(Vec<T> a, Vec<T> b) {
  return Instructions<T>::min(a.v, b.v);
}
template <typename T>
MANTISSA_INLINE Vec<T> vmax(Vec<T> a, Vec<T> b) {
  return Instructions<T>::max(a.v, b.v);
}
template <typename T>
MANTISSA_INLINE Vec<T> fma(Vec<T> a, Vec<T> b, Vec<T> c) {
  return Instructions<T>::fma(a.v, b.v, c.v);
}
template <typename T>
MANTISSA_INLINE Vec<T> vsqrt(Vec<T> a) {
  return Instructions<T>::sqrt(a.v);
}
/// Lanes 2i and 2i + 1 exchanged.
template <typename T>
MANTISSA_INLINE Vec<T> swap_pairs(Vec<T> a) {
  return Instructions<T>::swap_pairs(a.v);
}
template <std::floating_point T>
MANTISSA_INLINE Vec<T> load(const T* p) {
  return Instructions<T>::load(p);
}
/// The first n lanes from memory, the rest zero.
template <std::floating_point T>
MANTISSA_INLINE Vec<T> load_n(const T* p, int n) {
  return Instructions<T>::load_n(p, n);
}
template <std::floating_point T>
MANTISSA_INLINE void store(T* p, Vec<T> x) {
  Instructions<T>::store(p, x.v);
}
template <std::floating_point T>
MANTISSA_INLINE void store_n(T* p, Vec<T> x, int n) {
  Instructions<T>::store_n(p, x.v, n);
}

// -- float only, and the half formats ---------------------------------------------------------

#if defined(__AVX512F__) && defined(__AVX512BW__) && defined(__AVX512DQ__) && defined(__AVX512VL__)
MANTISSA_INLINE Vec<float> vround(Vec<float> a) {
  return _mm512_roundscale_ps(a.v, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
}
/// 2^n for integer n in [-126, 127].
MANTISSA_INLINE Vec<float> pow2(Vec<float> n) {
  return _mm512_castsi512_ps(
      _mm512_slli_epi32(_mm512_add_epi32(_mm512_cvtps_epi32(n.v), _mm512_set1_epi32(127)), 23));
}
/// a where x < 0, else b.
MANTISSA_INLINE Vec<float> select_negative(Vec<float> x, Vec<float> a, Vec<float> b) {
  return _mm512_mask_blend_ps(_mm512_cmp_ps_mask(x.v, _mm512_setzero_ps(), _CMP_LT_OQ), b.v, a.v);
}
MANTISSA_INLINE Vec<float> vabs(Vec<float> a) {
  return _mm512_abs_ps(a.v);
}

MANTISSA_INLINE Vec<float> load(const float16* p) {
  return _mm512_cvtph_ps(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(p)));
}
MANTISSA_INLINE Vec<float> load(const bfloat16* p) {
  const __m256i h = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p));
  return _mm512_castsi512_ps(_mm512_slli_epi32(_mm512_cvtepu16_epi32(h), 16));
}
MANTISSA_INLINE void store(float16* p, Vec<float> x) {
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(p),
                      _mm512_cvtps_ph(x.v, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC));
}
MANTISSA_INLINE void store(bfloat16* p, Vec<float> x) {
  const __m512i b = _mm512_castps_si512(x.v);
  const __m512i odd = _mm512_and_si512(_mm512_srli_epi32(b, 16), _mm512_set1_epi32(1));
  __m512i r =
      _mm512_srli_epi32(_mm512_add_epi32(b, _mm512_add_epi32(odd, _mm512_set1_epi32(0x7fff))), 16);
  const __m512i quiet = _mm512_or_si512(_mm512_srli_epi32(b, 16), _mm512_set1_epi32(0x40));
  r = _mm512_mask_mov_epi32(r, _mm512_cmp_ps_mask(x.v, x.v, _CMP_UNORD_Q), quiet);
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(p), _mm512_cvtepi32_epi16(r));
}

#elif defined(__AVX2__)
MANTISSA_INLINE Vec<float> vround(Vec<float> a) {
  return _mm256_round_ps(a.v, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
}
/// 2^n for integer n in [-126, 127].
MANTISSA_INLINE Vec<float> pow2(Vec<float> n) {
  return _mm256_castsi256_ps(
      _mm256_slli_epi32(_mm256_add_epi32(_mm256_cvtps_epi32(n.v), _mm256_set1_epi32(127)), 23));
}
/// a where x < 0, else b.
MANTISSA_INLINE Vec<float> select_negative(Vec<float> x, Vec<float> a, Vec<float> b) {
  return _mm256_blendv_ps(b.v, a.v, _mm256_cmp_ps(x.v, _mm256_setzero_ps(), _CMP_LT_OQ));
}
MANTISSA_INLINE Vec<float> vabs(Vec<float> a) {
  return _mm256_andnot_ps(_mm256_set1_ps(-0.0F), a.v);
}
MANTISSA_INLINE Vec<float> load(const float16* p) {
  return _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(p)));
}
MANTISSA_INLINE Vec<float> load(const bfloat16* p) {
  const __m128i h = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
  return _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_cvtepu16_epi32(h), 16));
}
MANTISSA_INLINE void store(float16* p, Vec<float> x) {
  _mm_storeu_si128(reinterpret_cast<__m128i*>(p),
                   _mm256_cvtps_ph(x.v, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC));
}
MANTISSA_INLINE void store(bfloat16* p, Vec<float> x) {
  const __m256i b = _mm256_castps_si256(x.v);
  const __m256i odd = _mm256_and_si256(_mm256_srli_epi32(b, 16), _mm256_set1_epi32(1));
  const __m256i even =
      _mm256_srli_epi32(_mm256_add_epi32(b, _mm256_add_epi32(odd, _mm256_set1_epi32(0x7fff))), 16);
  const __m256i quiet = _mm256_or_si256(_mm256_srli_epi32(b, 16), _mm256_set1_epi32(0x40));
  const __m256i nan = _mm256_castps_si256(_mm256_cmp_ps(x.v, x.v, _CMP_UNORD_Q));
  const __m256i r = _mm256_blendv_epi8(even, quiet, nan);
  const __m256i packed = _mm256_permute4x64_epi64(_mm256_packus_epi32(r, r), 0x08);
  _mm_storeu_si128(reinterpret_cast<__m128i*>(p), _mm256_castsi256_si128(packed));
}

#else
template <typename F>
Vec<float> each_lane(F f) {
  return Instructions<float>::each(f);
}
inline Vec<float> vround(Vec<float> a) {
  return each_lane([&](int i) { return std::nearbyint(a.v.lane[i]); });
}
/// 2^n for integer n in [-126, 127].
inline Vec<float> pow2(Vec<float> n) {
  return each_lane([&](int i) {
    const float x = n.v.lane[i];
    return std::ldexp(1.0F, std::isnan(x) ? 0 : int(x));
  });
}
/// a where x < 0, else b.
inline Vec<float> select_negative(Vec<float> x, Vec<float> a, Vec<float> b) {
  return each_lane([&](int i) { return x.v.lane[i] < 0.0F ? a.v.lane[i] : b.v.lane[i]; });
}
inline Vec<float> vabs(Vec<float> a) {
  return each_lane([&](int i) { return std::fabs(a.v.lane[i]); });
}
template <typename S>
requires(!std::floating_point<S>) Vec<float> load(const S* p) {
  return each_lane([&](int i) { return static_cast<float>(p[i]); });
}
template <typename S>
requires(!std::floating_point<S>) void store(S* p, Vec<float> x) {
  for (int i = 0; i < Vec<float>::kLanes; ++i) {
    p[i] = S(x.v.lane[i]);
  }
}
#endif

template <typename S>
requires(!std::floating_point<S>) MANTISSA_INLINE Vec<float> load_n(const S* p, int n) {
  S lanes[Vec<float>::kLanes] = {};
  std::copy(p, p + n, lanes);
  return load(lanes);
}
template <typename S>
requires(!std::floating_point<S>) MANTISSA_INLINE void store_n(S* p, Vec<float> x, int n) {
  S lanes[Vec<float>::kLanes];
  store(lanes, x);
  std::copy(lanes, lanes + n, p);
}

/// Pairwise sum of the lanes, always in the same order.
template <typename T>
MANTISSA_INLINE T sum_lanes(Vec<T> x) {
  T lanes[Vec<T>::kLanes];
  store(lanes, x);
  for (int half = Vec<T>::kLanes / 2; half > 0; half /= 2) {
    for (int i = 0; i < half; ++i) {
      lanes[i] += lanes[i + half];
    }
  }
  return lanes[0];
}
template <typename T>
MANTISSA_INLINE T max_lanes(Vec<T> x) {
  T lanes[Vec<T>::kLanes];
  store(lanes, x);
  return *std::max_element(lanes, lanes + Vec<T>::kLanes);
}

// -- functions ---------------------------------------------------------------------------------

/// f of each lane, for types without a polynomial.
template <typename T, typename F>
MANTISSA_INLINE Vec<T> each_lane(Vec<T> x, F f) {
  T lanes[Vec<T>::kLanes];
  store(lanes, x);
  for (T& v : lanes) {
    v = f(v);
  }
  return load(lanes);
}

/// e^x within 2 ulp for x in [-87, 88], saturating beyond; NaN stays NaN. x = n·ln2 + r, |r| <=
/// ln2/2, with a minimax polynomial for e^r.
MANTISSA_INLINE Vec<float> vexp(Vec<float> x) {
  using V = Vec<float>;
  x = vmin(V(88.0F), vmax(V(-87.0F), x));
  const V n = vround(x * V(1.44269504088896341F));
  V r = fma(n, V(-0.693145751953125F), x);
  r = fma(n, V(-1.42860682030941723e-6F), r);
  V p = fma(V(0.00138146F), r, V(0.00836872F));
  p = fma(p, r, V(0.04166839F));
  p = fma(p, r, V(0.16666521F));
  p = fma(p, r, V(0.49999993F));
  return (fma(p * r, r, r) + V(1.0F)) * pow2(n);
}
MANTISSA_INLINE Vec<double> vexp(Vec<double> x) {
  return each_lane(x, [](double v) { return std::exp(v); });
}

/// tanh(x) within 3 ulp: near 0 a minimax polynomial in x², which keeps its relative precision.
MANTISSA_INLINE Vec<float> vtanh(Vec<float> x) {
  using V = Vec<float>;
  const V u = x * x, size = vabs(x);
  V p = fma(V(-0.00570474846F), u, V(0.0206388822F));
  p = fma(p, u, V(-0.0537396550F));
  p = fma(p, u, V(0.133314415F));
  p = fma(p, u, V(-0.333332819F));
  const V inner = fma(x * u, p, x);
  const V outer = V(1.0F) - V(2.0F) / (vexp(size + size) + V(1.0F));
  return select_negative(size - V(0.625F), inner, select_negative(x, V(0.0F) - outer, outer));
}
MANTISSA_INLINE Vec<double> vtanh(Vec<double> x) {
  return each_lane(x, [](double v) { return std::tanh(v); });
}

/// Φ(x) of the standard normal and its density φ(x).
template <typename T>
struct NormalCdf {
  Vec<T> cdf, density;
};
/// Φ(-z) = φ(z)·√(2π)·t·P(t)/2 with t = 1/(1 + z/√8): P is a minimax fit of exp(z²)erfc(z)/t, so
/// both tails keep their relative precision.
MANTISSA_INLINE NormalCdf<float> normal_cdf(Vec<float> x) {
  using V = Vec<float>;
  const V z = vmin(V(15.5F), vabs(x));
  const V e = vexp(V(-0.5F) * z * z);
  const V t = V(1.0F) / fma(z, V(0.35355339059327376F), V(1.0F));
  V p = fma(V(0.03380262234F), t, V(-0.18006732213F));
  p = fma(p, t, V(0.35482768022F));
  p = fma(p, t, V(-0.25285537110F));
  p = fma(p, t, V(-0.05382544104F));
  p = fma(p, t, V(0.05343667008F));
  p = fma(p, t, V(0.04818287486F));
  p = fma(p, t, V(0.18719258348F));
  p = fma(p, t, V(0.24494709915F));
  p = fma(p, t, V(0.28227066428F));
  p = fma(p, t, V(0.28208794217F));
  const V tail = V(0.5F) * e * (t * p);
  return {select_negative(x, tail, V(1.0F) - tail), e * V(0.3989422804014327F)};
}
MANTISSA_INLINE NormalCdf<double> normal_cdf(Vec<double> x) {
  constexpr int kN = Vec<double>::kLanes;
  double in[kN], cdf[kN], density[kN];
  store(in, x);
  for (int i = 0; i < kN; ++i) {
    cdf[i] = 0.5 * std::erfc(-in[i] * 0.70710678118654752440);
    density[i] = 0.39894228040143267794 * std::exp(-0.5 * in[i] * in[i]);
  }
  return {load(cdf), load(density)};
}

template <typename T>
MANTISSA_INLINE Vec<T> sigmoid(Vec<T> x) {
  using V = Vec<T>;
  return V(T(1)) / (V(T(1)) + vexp(V(T(0)) - x));
}

/// sigmoid(x) and its derivative; 1 - sigmoid is not formed, so large x keep their precision.
template <typename T>
struct Sigmoid {
  Vec<T> value, slope;
};
template <typename T>
MANTISSA_INLINE Sigmoid<T> sigmoid_slope(Vec<T> x) {
  using V = Vec<T>;
  const V e = vexp(V(T(0)) - vmax(V(T(-80)), x));
  const V s = V(T(1)) / (V(T(1)) + e);
  return {s, e * s * s};
}

}  // namespace mantissa::MANTISSA_ISA
