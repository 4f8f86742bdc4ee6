// NF4: codes in blocks, and their doubly quantised scales.
#include "kernels/nf4.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

#include "kernels/cpu/backend.h"
#include "kernels/cpu/codes.h"

namespace mantissa::MANTISSA_ISA {

namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

/// The block's largest magnitude, NaN if a value isn't finite; its codes into `to`.
template <typename S>
float encode_block(const S* x, int count, std::uint8_t* to) {
  constexpr int kSize = static_cast<int>(kNf4Block);
  float value[kSize] = {};
  std::int32_t code[kSize];
  float largest = 0.0F, odd = 0.0F;
  widen(x, count, value);
  for (const float v : value) {
    largest = std::max(largest, std::fabs(v));
    odd += v * 0.0F;
  }
  const float inverse = nf4_inverse(largest);
  for (int i = 0; i < kSize; ++i) {
    code[i] = nf4_code(value[i] * inverse);
  }
  for (int i = 0; i < count; i += 2) {
    const int second = i + 1 < count ? code[i + 1] : nf4_code(0.0F);
    to[i / 2] = static_cast<std::uint8_t>(code[i] << 4 | second);
  }
  return odd == 0.0F ? largest : kNan;
}

/// The mean of those that are finite, in fp64, group by group.
float mean_of_finite(const float* x, std::int64_t n) {
  double sum = 0;
  std::int64_t count = 0;
  for (std::int64_t begin = 0; begin < n; begin += kNf4Group) {
    double part = 0;
    for (std::int64_t i = begin; i < std::min(n, begin + kNf4Group); ++i) {
      part += std::isnan(x[i]) ? 0.0 : static_cast<double>(x[i]);
      count += std::isnan(x[i]) ? 0 : 1;
    }
    sum += part;
  }
  return count > 0 ? static_cast<float>(sum / static_cast<double>(count)) : 0.0F;
}

/// Codes of the scales of one group's blocks.
void encode_group(const float* scales, std::int64_t first, std::int64_t last, std::int64_t group,
                  const Nf4Codes& to) {
  float largest = 0.0F;
  for (std::int64_t i = first; i < last; ++i) {
    const float a = std::fabs(scales[i] - to.offset());
    largest = a > largest || std::isnan(a) ? a : largest;
  }
  to.scales[kNf4Map + 1 + group] = largest;
  for (std::int64_t i = first; i < last; ++i) {
    const float x = scales[i] - to.offset();
    to.block_codes[i] = nf4_nearest(to.scales, largest > 0.0F ? x / largest : 0.0F);
  }
}

}  // namespace

void CpuKernels::quantize_nf4(const View& in, const View& out) {
  const std::int64_t count = in.count(), blocks = nf4_blocks(count);
  const Nf4Codes to = nf4_codes(out.data, out.dtype, count);
  float* scales =
      to.block_codes == nullptr
          ? to.scales
          : static_cast<float*>(scratch_.shared(static_cast<std::size_t>(blocks) * sizeof(float)));
  dispatch_float(in.dtype, [&]<typename S>() {
    if constexpr (!std::is_same_v<S, double>) {
      for_ranges(pool_, blocks, row_grain(kNf4Block),
                 [&](std::int64_t begin, std::int64_t end, int) {
                   for (std::int64_t b = begin; b < end; ++b) {
                     const std::int64_t first = b * kNf4Block;
                     scales[b] = encode_block(in.as<S>() + first,
                                              static_cast<int>(std::min(kNf4Block, count - first)),
                                              to.codes + first / 2);
                   }
                 });
    }
  });
  if (to.block_codes == nullptr) {
    return;
  }
  for (int i = 0; i < kNf4Map; ++i) {
    to.scales[i] = nf4_map_value(i);
  }
  to.scales[kNf4Map] = mean_of_finite(scales, blocks);
  for_ranges(pool_, nf4_groups(count), 64, [&](std::int64_t begin, std::int64_t end, int) {
    for (std::int64_t g = begin; g < end; ++g) {
      encode_group(scales, g * kNf4Group, std::min(blocks, (g + 1) * kNf4Group), g, to);
    }
  });
}

void CpuKernels::dequantize_nf4(const View& in, const View& out) {
  const std::int64_t cols = in.cols();
  const Nf4Codes from = nf4_codes(in.data, in.dtype, in.count());
  dispatch_float(out.dtype, [&]<typename S>() {
    for_ranges(pool_, in.rows(), row_grain(cols), [&](std::int64_t begin, std::int64_t end, int) {
      for (std::int64_t r = begin; r < end; ++r) {
        S* to = out.as<S>() + r * out.row_stride;
        if constexpr (std::is_same_v<S, double>) {
          for (std::int64_t i = 0; i < cols; ++i) {
            const std::int64_t at = r * cols + i;
            to[i] = static_cast<double>(nf4_value(from.code(at)) * from.scale(at / kNf4Block));
          }
        } else {
          decode_nf4<S>(from, r * cols, cols, to);
        }
      }
    });
  });
}

}  // namespace mantissa::MANTISSA_ISA
