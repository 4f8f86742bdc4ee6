#pragma once
// defines: Vec, load, load_n, store, store_n: one SIMD register of float or double
//
// Included only by sources compiled once per instruction set; MANTISSA_ISA names the namespace, so
// that the copies stay apart.

#include <algorithm>
#include <cmath>
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

template <typename T>
struct Vec;

#if defined(__AVX512F__) && defined(__AVX512BW__) && defined(__AVX512DQ__) && defined(__AVX512VL__)
inline constexpr const char* kIsaName = "avx512";

template <>
struct Vec<float> {
  static constexpr int kLanes = 16;
  __m512 v;
  Vec() = default;
  MANTISSA_INLINE Vec(__m512 x) : v(x) {}
  MANTISSA_INLINE explicit Vec(float x) : v(_mm512_set1_ps(x)) {}
  static MANTISSA_INLINE Vec load(const float* p) { return _mm512_loadu_ps(p); }
  static MANTISSA_INLINE Vec load_n(const float* p, int n) {
    return _mm512_maskz_loadu_ps(static_cast<__mmask16>((1u << n) - 1), p);
  }
  MANTISSA_INLINE void store(float* p) const { _mm512_storeu_ps(p, v); }
  MANTISSA_INLINE void store_n(float* p, int n) const {
    _mm512_mask_storeu_ps(p, static_cast<__mmask16>((1u << n) - 1), v);
  }
};
template <>
struct Vec<double> {
  static constexpr int kLanes = 8;
  __m512d v;
  Vec() = default;
  MANTISSA_INLINE Vec(__m512d x) : v(x) {}
  MANTISSA_INLINE explicit Vec(double x) : v(_mm512_set1_pd(x)) {}
  static MANTISSA_INLINE Vec load(const double* p) { return _mm512_loadu_pd(p); }
  static MANTISSA_INLINE Vec load_n(const double* p, int n) {
    return _mm512_maskz_loadu_pd(static_cast<__mmask8>((1u << n) - 1), p);
  }
  MANTISSA_INLINE void store(double* p) const { _mm512_storeu_pd(p, v); }
  MANTISSA_INLINE void store_n(double* p, int n) const {
    _mm512_mask_storeu_pd(p, static_cast<__mmask8>((1u << n) - 1), v);
  }
};
#define MANTISSA_VEC_OP2(op, ps, pd)                             \
  MANTISSA_INLINE Vec<float> op(Vec<float> a, Vec<float> b) {    \
    return _mm512_##ps(a.v, b.v);                                \
  }                                                              \
  MANTISSA_INLINE Vec<double> op(Vec<double> a, Vec<double> b) { \
    return _mm512_##pd(a.v, b.v);                                \
  }
MANTISSA_VEC_OP2(operator+, add_ps, add_pd)
MANTISSA_VEC_OP2(operator-, sub_ps, sub_pd)
MANTISSA_VEC_OP2(operator*, mul_ps, mul_pd)
MANTISSA_VEC_OP2(operator/, div_ps, div_pd)
// The second operand is returned where either is NaN: put the data there.
MANTISSA_VEC_OP2(vmin, min_ps, min_pd)
MANTISSA_VEC_OP2(vmax, max_ps, max_pd)
#undef MANTISSA_VEC_OP2
MANTISSA_INLINE Vec<float> fma(Vec<float> a, Vec<float> b, Vec<float> c) {
  return _mm512_fmadd_ps(a.v, b.v, c.v);
}
MANTISSA_INLINE Vec<double> fma(Vec<double> a, Vec<double> b, Vec<double> c) {
  return _mm512_fmadd_pd(a.v, b.v, c.v);
}
MANTISSA_INLINE Vec<float> vsqrt(Vec<float> a) {
  return _mm512_sqrt_ps(a.v);
}
MANTISSA_INLINE Vec<double> vsqrt(Vec<double> a) {
  return _mm512_sqrt_pd(a.v);
}
MANTISSA_INLINE Vec<float> vround(Vec<float> a) {
  return _mm512_roundscale_ps(a.v, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
}
/// 2^n for whole n in [-126, 127].
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
inline constexpr const char* kIsaName = "avx2";

MANTISSA_INLINE __m256i lane_mask32(int n) {
  return _mm256_cmpgt_epi32(_mm256_set1_epi32(n), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
}
MANTISSA_INLINE __m256i lane_mask64(int n) {
  return _mm256_cmpgt_epi64(_mm256_set1_epi64x(n), _mm256_setr_epi64x(0, 1, 2, 3));
}
template <>
struct Vec<float> {
  static constexpr int kLanes = 8;
  __m256 v;
  Vec() = default;
  MANTISSA_INLINE Vec(__m256 x) : v(x) {}
  MANTISSA_INLINE explicit Vec(float x) : v(_mm256_set1_ps(x)) {}
  static MANTISSA_INLINE Vec load(const float* p) { return _mm256_loadu_ps(p); }
  static MANTISSA_INLINE Vec load_n(const float* p, int n) {
    return _mm256_maskload_ps(p, lane_mask32(n));
  }
  MANTISSA_INLINE void store(float* p) const { _mm256_storeu_ps(p, v); }
  MANTISSA_INLINE void store_n(float* p, int n) const { _mm256_maskstore_ps(p, lane_mask32(n), v); }
};
template <>
struct Vec<double> {
  static constexpr int kLanes = 4;
  __m256d v;
  Vec() = default;
  MANTISSA_INLINE Vec(__m256d x) : v(x) {}
  MANTISSA_INLINE explicit Vec(double x) : v(_mm256_set1_pd(x)) {}
  static MANTISSA_INLINE Vec load(const double* p) { return _mm256_loadu_pd(p); }
  static MANTISSA_INLINE Vec load_n(const double* p, int n) {
    return _mm256_maskload_pd(p, lane_mask64(n));
  }
  MANTISSA_INLINE void store(double* p) const { _mm256_storeu_pd(p, v); }
  MANTISSA_INLINE void store_n(double* p, int n) const {
    _mm256_maskstore_pd(p, lane_mask64(n), v);
  }
};
#define MANTISSA_VEC_OP2(op, ps, pd)                             \
  MANTISSA_INLINE Vec<float> op(Vec<float> a, Vec<float> b) {    \
    return _mm256_##ps(a.v, b.v);                                \
  }                                                              \
  MANTISSA_INLINE Vec<double> op(Vec<double> a, Vec<double> b) { \
    return _mm256_##pd(a.v, b.v);                                \
  }
MANTISSA_VEC_OP2(operator+, add_ps, add_pd)
MANTISSA_VEC_OP2(operator-, sub_ps, sub_pd)
MANTISSA_VEC_OP2(operator*, mul_ps, mul_pd)
MANTISSA_VEC_OP2(operator/, div_ps, div_pd)
// The second operand is returned where either is NaN: put the data there.
MANTISSA_VEC_OP2(vmin, min_ps, min_pd)
MANTISSA_VEC_OP2(vmax, max_ps, max_pd)
#undef MANTISSA_VEC_OP2
MANTISSA_INLINE Vec<float> fma(Vec<float> a, Vec<float> b, Vec<float> c) {
  return _mm256_fmadd_ps(a.v, b.v, c.v);
}
MANTISSA_INLINE Vec<double> fma(Vec<double> a, Vec<double> b, Vec<double> c) {
  return _mm256_fmadd_pd(a.v, b.v, c.v);
}
MANTISSA_INLINE Vec<float> vsqrt(Vec<float> a) {
  return _mm256_sqrt_ps(a.v);
}
MANTISSA_INLINE Vec<double> vsqrt(Vec<double> a) {
  return _mm256_sqrt_pd(a.v);
}
MANTISSA_INLINE Vec<float> vround(Vec<float> a) {
  return _mm256_round_ps(a.v, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
}
/// 2^n for whole n in [-126, 127].
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
inline constexpr const char* kIsaName = "portable";

/// Plain arrays: correct everywhere, as fast as the compiler makes them.
template <typename T, int kN>
struct ArrayVec {
  static constexpr int kLanes = kN;
  T v[kN];
  ArrayVec() = default;
  explicit ArrayVec(T x) { std::fill(v, v + kN, x); }
  static ArrayVec load(const T* p) {
    ArrayVec r;
    std::memcpy(r.v, p, sizeof r.v);
    return r;
  }
  static ArrayVec load_n(const T* p, int n) {
    ArrayVec r(T(0));
    std::copy(p, p + n, r.v);
    return r;
  }
  void store(T* p) const { std::memcpy(p, v, sizeof v); }
  void store_n(T* p, int n) const { std::copy(v, v + n, p); }
};
template <>
struct Vec<float> : ArrayVec<float, 8> {
  using ArrayVec::ArrayVec;
  Vec() = default;
  Vec(const ArrayVec<float, 8>& x) : ArrayVec(x) {}
};
template <>
struct Vec<double> : ArrayVec<double, 4> {
  using ArrayVec::ArrayVec;
  Vec() = default;
  Vec(const ArrayVec<double, 4>& x) : ArrayVec(x) {}
};
template <typename T, typename F>
Vec<T> lanewise(Vec<T> a, Vec<T> b, F f) {
  for (int i = 0; i < Vec<T>::kLanes; ++i) {
    a.v[i] = f(a.v[i], b.v[i]);
  }
  return a;
}
#define MANTISSA_VEC_OP2(op, expression)                                  \
  inline Vec<float> op(Vec<float> a, Vec<float> b) {                      \
    return lanewise(a, b, [](float x, float y) { return expression; });   \
  }                                                                       \
  inline Vec<double> op(Vec<double> a, Vec<double> b) {                   \
    return lanewise(a, b, [](double x, double y) { return expression; }); \
  }
MANTISSA_VEC_OP2(operator+, x + y)
MANTISSA_VEC_OP2(operator-, x - y)
MANTISSA_VEC_OP2(operator*, x* y)
MANTISSA_VEC_OP2(operator/, x / y)
// The second operand is returned where either is NaN: put the data there.
MANTISSA_VEC_OP2(vmin, x < y ? x : y)
MANTISSA_VEC_OP2(vmax, x > y ? x : y)
#undef MANTISSA_VEC_OP2
template <typename T>
Vec<T> fma(Vec<T> a, Vec<T> b, Vec<T> c) {
  return a * b + c;
}
template <typename T, typename F>
Vec<T> lanewise1(Vec<T> a, F f) {
  return lanewise(a, a, [&](T x, T) { return f(x); });
}
inline Vec<float> vsqrt(Vec<float> a) {
  return lanewise1(a, [](float x) { return std::sqrt(x); });
}
inline Vec<double> vsqrt(Vec<double> a) {
  return lanewise1(a, [](double x) { return std::sqrt(x); });
}
inline Vec<float> vround(Vec<float> a) {
  return lanewise1(a, [](float x) { return std::nearbyint(x); });
}
/// 2^n for whole n in [-126, 127].
inline Vec<float> pow2(Vec<float> n) {
  return lanewise1(n, [](float x) { return std::ldexp(1.0F, std::isnan(x) ? 0 : int(x)); });
}
inline Vec<float> vabs(Vec<float> a) {
  return lanewise1(a, [](float x) { return std::fabs(x); });
}
/// a where x < 0, else b.
inline Vec<float> select_negative(Vec<float> x, Vec<float> a, Vec<float> b) {
  for (int i = 0; i < Vec<float>::kLanes; ++i) {
    a.v[i] = x.v[i] < 0.0F ? a.v[i] : b.v[i];
  }
  return a;
}
template <typename S>
Vec<float> load(const S* p) {
  Vec<float> r;
  for (int i = 0; i < Vec<float>::kLanes; ++i) {
    r.v[i] = static_cast<float>(p[i]);
  }
  return r;
}
template <typename S>
void store(S* p, Vec<float> x) {
  for (int i = 0; i < Vec<float>::kLanes; ++i) {
    p[i] = S(x.v[i]);
  }
}
#endif

MANTISSA_INLINE Vec<float> load(const float* p) {
  return Vec<float>::load(p);
}
MANTISSA_INLINE Vec<double> load(const double* p) {
  return Vec<double>::load(p);
}
MANTISSA_INLINE void store(float* p, Vec<float> x) {
  x.store(p);
}
MANTISSA_INLINE void store(double* p, Vec<double> x) {
  x.store(p);
}

/// The first n lanes from memory, zeros behind.
MANTISSA_INLINE Vec<float> load_n(const float* p, int n) {
  return Vec<float>::load_n(p, n);
}
MANTISSA_INLINE Vec<double> load_n(const double* p, int n) {
  return Vec<double>::load_n(p, n);
}
MANTISSA_INLINE void store_n(float* p, Vec<float> x, int n) {
  x.store_n(p, n);
}
MANTISSA_INLINE void store_n(double* p, Vec<double> x, int n) {
  x.store_n(p, n);
}
template <typename S>
MANTISSA_INLINE Vec<float> load_n(const S* p, int n) {
  S lanes[Vec<float>::kLanes] = {};
  std::copy(p, p + n, lanes);
  return load(lanes);
}
template <typename S>
MANTISSA_INLINE void store_n(S* p, Vec<float> x, int n) {
  S lanes[Vec<float>::kLanes];
  store(lanes, x);
  std::copy(lanes, lanes + n, p);
}

/// Sum of the lanes by halves, the same order always.
template <typename T>
MANTISSA_INLINE T sum_lanes(Vec<T> x) {
  T lanes[Vec<T>::kLanes];
  x.store(lanes);
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
  x.store(lanes);
  return *std::max_element(lanes, lanes + Vec<T>::kLanes);
}

// -- functions ---------------------------------------------------------------------------------

/// e^x within 2 ulp for x in [-87, 88], saturating beyond; NaN stays. x = n·ln2 + r, |r| <= ln2/2,
/// with a minimax polynomial for e^r.
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
  double lanes[Vec<double>::kLanes];
  x.store(lanes);
  for (double& v : lanes) {
    v = std::exp(v);
  }
  return Vec<double>::load(lanes);
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
  x.store(in);
  for (int i = 0; i < kN; ++i) {
    cdf[i] = 0.5 * std::erfc(-in[i] * 0.70710678118654752440);
    density[i] = 0.39894228040143267794 * std::exp(-0.5 * in[i] * in[i]);
  }
  return {Vec<double>::load(cdf), Vec<double>::load(density)};
}

template <typename T>
MANTISSA_INLINE Vec<T> sigmoid(Vec<T> x) {
  using V = Vec<T>;
  return V(T(1)) / (V(T(1)) + vexp(V(T(0)) - x));
}

/// sigmoid(x) and its derivative; 1 - sigmoid is not formed, so large x keep their digits.
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
