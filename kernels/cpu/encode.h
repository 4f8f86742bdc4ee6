#pragma once
// Encodes rows as codes of one byte.

#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "kernels/cpu/simd.h"
#include "kernels/weight_codes.h"

namespace mantissa::MANTISSA_ISA {

/// The largest finite |x·factor| of a run. Where a value isn't finite: NaN for a format without
/// NaN, else it is ignored.
template <typename F, typename S>
float largest(const S* x, const float* factor, std::int64_t n) {
  constexpr int kLanes = Vec<float>::kLanes;
  Vec<float> most(0.0F), odd(0.0F);  // odd: 0, or NaN after a value that isn't finite
  const auto take = [&](Vec<float> a) {
    most = vmax(most, vabs(a));
    odd = odd + a * Vec<float>(0.0F);
  };
  std::int64_t i = 0;
  for (; i + kLanes <= n; i += kLanes) {
    take(factor == nullptr ? load(x + i) : load(x + i) * load(factor + i));
  }
  if (i < n) {
    const auto rest = static_cast<int>(n - i);
    take(factor == nullptr ? load_n(x + i, rest) : load_n(x + i, rest) * load_n(factor + i, rest));
  }
  if (sum_lanes(odd) == 0.0F) {
    return max_lanes(most);
  }
  if constexpr (!CodeFormat<F>::kHasNan) {
    return std::numeric_limits<float>::quiet_NaN();
  }
  float finite = 0.0F;
  for (i = 0; i < n; ++i) {
    const float a = std::fabs(static_cast<float>(x[i]) * (factor != nullptr ? factor[i] : 1.0F));
    finite = a > finite && a <= std::numeric_limits<float>::max() ? a : finite;
  }
  return finite;
}

/// Codes of x·factor·inverse.
template <typename F, typename S>
void encode_row(const S* x, const float* factor, float inverse, std::int64_t n, std::uint8_t* to) {
  std::int64_t i = 0;
#if defined(__AVX512F__) && defined(__AVX512BW__)
  if constexpr (std::is_same_v<F, int8_code>) {
    const Vec<float> most(CodeFormat<F>::kMax), least(-CodeFormat<F>::kMax);
    for (; i + 16 <= n; i += 16) {
      const Vec<float> value = factor == nullptr ? load(x + i) : load(x + i) * load(factor + i);
      const Vec<float> y = vmin(vmax(value * Vec<float>(inverse), least), most);
      _mm_storeu_si128(reinterpret_cast<__m128i*>(to + i),
                       _mm512_cvtepi32_epi8(_mm512_cvtps_epi32(y.v)));
    }
  }
#endif
  if (factor != nullptr) {
    for (; i < n; ++i) {
      to[i] = CodeFormat<F>::encode(static_cast<float>(x[i]) * factor[i] * inverse);
    }
  } else {
    for (; i < n; ++i) {
      to[i] = CodeFormat<F>::encode(static_cast<float>(x[i]) * inverse);
    }
  }
}

}  // namespace mantissa::MANTISSA_ISA
