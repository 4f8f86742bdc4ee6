// Statistics of a tensor's values in a storage format, in one pass.
#include <bit>
#include <utility>

#include "kernels/check_quant.h"
#include "kernels/cpu/backend.h"
#include "kernels/format_grid.h"

namespace mantissa::MANTISSA_ISA {

namespace {

constexpr int kBlock = 256;
constexpr int kBins = TensorStatistics::kBins;

/// Sums over one chunk; the histogram's last bin receives uncounted values.
struct Partial {
  std::int64_t zeros, non_finite, underflow, subnormal, overflow;
  double signal, noise;
  float amax, scaled_amax;
  std::uint32_t bins[2][kBins + 1];
};

/// Σ v² in fp64, in 8 lanes that are then added in order.
MANTISSA_INLINE double squares(const float (&v)[kBlock]) {
  double lanes[8] = {};
  for (int i = 0; i < kBlock; i += 8) {
    for (int j = 0; j < 8; ++j) {
      const auto x = static_cast<double>(v[i + j]);
      lanes[j] += x * x;
    }
  }
  return ((lanes[0] + lanes[4]) + (lanes[2] + lanes[6])) +
         ((lanes[1] + lanes[5]) + (lanes[3] + lanes[7]));
}

/// Adds kBlock values, of which those beyond the first `n` are uncounted zeros.
template <typename G>
void add_block(const float* x, int n, float scale, Partial& p) {
  const float inverse = 1.0F / scale;
  float magnitude[kBlock], error[kBlock];
  std::uint32_t bin[kBlock];
  int zeros = 0, non_finite = 0, underflow = 0, subnormal = 0, overflow = 0;
  float amax = 0.0F, scaled_amax = 0.0F;
  for (int i = 0; i < kBlock; ++i) {
    const std::uint32_t bits = std::bit_cast<std::uint32_t>(x[i]) & 0x7fffffffu;
    const bool finite = bits < 0x7f800000u;
    const float a = finite ? std::bit_cast<float>(bits) : 0.0F;
    const float y = a * inverse;
    const float rounded = G::round(y);
    const float kept = rounded < G::kMax ? rounded : G::kMax;
    non_finite += finite ? 0 : 1;
    zeros += bits == 0 ? 1 : 0;
    underflow += (a != 0.0F) & (rounded == 0.0F) ? 1 : 0;
    subnormal += (rounded != 0.0F) & (rounded < G::kMinNormal) ? 1 : 0;
    overflow += rounded > G::kMax ? 1 : 0;
    amax = a > amax ? a : amax;
    scaled_amax = y > scaled_amax ? y : scaled_amax;
    magnitude[i] = a;
    error[i] = G::kShift == 0 ? 0.0F : a - kept * scale;
    const int exponent = static_cast<int>(std::bit_cast<std::uint32_t>(a) >> 23) - 127 -
                         TensorStatistics::kFirstExponent;
    const int clamped = std::min(std::max(exponent, 0), kBins - 1);
    bin[i] = static_cast<std::uint32_t>(a != 0.0F ? clamped : kBins);
  }
  for (int i = 0; i < kBlock; i += 2) {
    ++p.bins[0][bin[i]];
    ++p.bins[1][bin[i + 1]];
  }
  p.zeros += zeros - (kBlock - n);
  p.non_finite += non_finite;
  p.underflow += underflow;
  p.subnormal += subnormal;
  p.overflow += overflow;
  p.amax = std::max(p.amax, amax);
  p.scaled_amax = std::max(p.scaled_amax, scaled_amax);
  p.signal += squares(magnitude);
  p.noise += squares(error);
}

/// x[0..n) of one row as floats, times their factors, in blocks.
template <typename S, typename G>
void add_row(const S* x, const float* factor, std::int64_t n, float scale, Partial& p) {
  for (std::int64_t c = 0; c < n; c += kBlock) {
    const auto part = static_cast<int>(std::min<std::int64_t>(kBlock, n - c));
    float values[kBlock];
    if constexpr (std::is_same_v<S, double>) {
      std::transform(x + c, x + c + part, values, [](double v) { return static_cast<float>(v); });
    } else {
      map_elements(
          part, values, [](Vec<float> v) { return v; }, x + c);
    }
    std::fill(values + part, values + kBlock, 0.0F);
    if (factor != nullptr) {
      for (int i = 0; i < part; ++i) {
        values[i] *= factor[c + i];
      }
    }
    add_block<G>(values, part, scale, p);
  }
}

void merge(const Partial& p, TensorStatistics& s) {
  s.zeros += p.zeros;
  s.non_finite += p.non_finite;
  s.underflow += p.underflow;
  s.subnormal += p.subnormal;
  s.overflow += p.overflow;
  s.signal += p.signal;
  s.noise += p.noise;
  s.amax = std::max(s.amax, static_cast<double>(p.amax));
  s.scaled_amax = std::max(s.scaled_amax, static_cast<double>(p.scaled_amax));
  for (int i = 0; i < kBins; ++i) {
    s.histogram[static_cast<std::size_t>(i)] += p.bins[0][i] + p.bins[1][i];
  }
}

}  // namespace

TensorStatistics CpuKernels::tensor_statistics(const View& x, const View& column_factor,
                                               DType format, const View& scale) {
  check_tensor_statistics(x, column_factor, format, scale);
  if (format == DType::i8_rotated) {
    std::vector<float> rotated = rotated_fp32(x);
    const View wide(rotated.data(), DType::f32, {x.rows(), x.cols()});
    return tensor_statistics(wide, {}, DType::i8, scale);
  }
  TensorStatistics result;
  result.count = x.count();
  if (x.count() == 0) {
    return result;
  }
  const float* scales = scale ? scale.as<float>() : nullptr;
  const float* factor = column_factor ? column_factor.as<float>() : nullptr;
  const bool by_row = scale && scale.count() > 1;
  // One long row if rows need no distinction.
  const bool flat = x.contiguous() && !by_row && factor == nullptr;
  const std::int64_t rows = flat ? 1 : x.rows(), cols = flat ? x.count() : x.cols();
  const std::int64_t grain = flat ? kElementGrain : row_grain(cols);
  const std::int64_t chunks = ceil_div(flat ? cols : rows, grain);
  auto* partial =
      static_cast<Partial*>(scratch_.shared(static_cast<std::size_t>(chunks) * sizeof(Partial)));
  dispatch_float(x.dtype, [&]<typename S>() {
    dispatch_format_grid(format, [&]<typename G>() {
      for_ranges(pool_, flat ? cols : rows, grain, [&](std::int64_t begin, std::int64_t end, int) {
        Partial p{};
        if (flat) {
          add_row<S, G>(x.as<S>() + begin, nullptr, end - begin,
                        scales != nullptr ? scales[0] : 1.0F, p);
        } else {
          for (std::int64_t r = begin; r < end; ++r) {
            add_row<S, G>(x.as<S>() + r * x.row_stride, factor, cols,
                          scales != nullptr ? scales[by_row ? r : 0] : 1.0F, p);
          }
        }
        partial[begin / grain] = p;
      });
    });
  });
  for (std::int64_t c = 0; c < chunks; ++c) {
    merge(partial[c], result);
  }
  return result;
}

void CpuKernels::queue_statistics(const View& x, const View& column_factor, DType format,
                                  const View& scale) {
  queued_statistics_.push_back(tensor_statistics(x, column_factor, format, scale));
}

std::vector<TensorStatistics> CpuKernels::take_statistics() {
  return std::exchange(queued_statistics_, {});
}

}  // namespace mantissa::MANTISSA_ISA
