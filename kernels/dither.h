#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <type_traits>

#include "kernels/dtype.h"
#include "kernels/host_device.h"

namespace mantissa {

/// `value` rounded to a 16-bit S by dithering: to the neighbour away from zero with the probability
/// of the part cut off. With nearest rounding, a change below half an ulp of a value already on S's
/// grid is always lost; dithered sums keep it on average. The choice is a hash of the value and its
/// index in the tensor: the same on every run, backend, number of threads and recomputation, but
/// different in every layer. Values that S represents exactly are unchanged; NaN and infinity pass,
/// a finite value stays finite. Other types are not rounded. (FP16's subnormals get the store's
/// nearest rounding.)
template <typename S>
MANTISSA_HD inline accumulator_t<S> dithered(accumulator_t<S> value, std::uint32_t index) {
  if constexpr (std::is_same_v<S, bfloat16> || std::is_same_v<S, float16>) {
    constexpr bool kBf16 = std::is_same_v<S, bfloat16>;
    constexpr std::uint32_t kCut = kBf16 ? 16 : 13;  // bits of fp32's mantissa that S lacks
    constexpr std::uint32_t kEnd = kBf16 ? 0x7f800000u : 0x47800000u;  // the first beyond S
    const auto bits = std::bit_cast<std::uint32_t>(value);
    std::uint32_t x = bits ^ index * 0x9e3779b9u;
    x = (x ^ (x >> 16)) * 0x7feb352du;
    x = (x ^ (x >> 15)) * 0x846ca68bu;
    const std::uint32_t random = (x ^ (x >> 16)) & ((1u << kCut) - 1u);
    const std::uint32_t magnitude = bits & 0x7fffffffu;
    const std::uint32_t sum = std::min(magnitude + random, kEnd - 1u);
    const std::uint32_t kept = magnitude < kEnd ? sum >> kCut << kCut : magnitude;
    return std::bit_cast<float>((bits & 0x80000000u) | kept);
  } else {
    return value;
  }
}

}  // namespace mantissa
