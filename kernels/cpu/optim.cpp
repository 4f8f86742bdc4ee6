#include <cmath>

#include "kernels/cpu/backend.h"

namespace mantissa::MANTISSA_ISA {

namespace {

/// Adds up partial[0..n) by halves: the same tree for the same n.
double tree_sum(double* partial, std::int64_t n) {
  for (; n > 1; n = ceil_div(n, 2)) {
    for (std::int64_t i = 0; i < n / 2; ++i) {
      partial[i] = partial[2 * i] + partial[2 * i + 1];
    }
    if (n % 2 != 0) {
      partial[n / 2] = partial[n - 1];
    }
  }
  return n == 1 ? partial[0] : 0.0;
}

template <typename S>
double square_sum(const S* x, std::int64_t n) {
  constexpr int kLanes = 16;
  double sums[kLanes] = {};
  std::int64_t i = 0;
  for (; i + kLanes <= n; i += kLanes) {
    for (int j = 0; j < kLanes; ++j) {
      double v = 0.0;
      if constexpr (std::is_same_v<S, double>) {
        v = x[i + j];
      } else {
        v = static_cast<double>(static_cast<float>(x[i + j]));
      }
      sums[j] += v * v;
    }
  }
  for (int j = 0; i + j < n; ++j) {
    const auto v = static_cast<double>(static_cast<accumulator_t<S>>(x[i + j]));
    sums[j] += v * v;
  }
  return tree_sum(sums, kLanes);
}

/// Elements whose exponent bits are all ones.
template <typename Bits>
std::int64_t count_full_exponents(const Bits* x, std::int64_t n, Bits mask) {
  std::int64_t count = 0;
  for (std::int64_t i = 0; i < n; ++i) {
    count += (x[i] & mask) == mask ? 1 : 0;
  }
  return count;
}

void check_parameters(const View& v, const View& model, const char* kernel, const char* what) {
  check_like(v, model, kernel, what);
  check_dtype(v, DType::f32, kernel, what);
  check_packed(v, kernel, what);
}

}  // namespace

double CpuKernels::sum_of_squares(const View& x) {
  check_float(x, "sum_of_squares", "x");
  check_packed(x, "sum_of_squares", "x");
  const std::int64_t pieces = ceil_div(x.count(), kElementGrain);
  auto* partial =
      static_cast<double*>(scratch_.shared(static_cast<std::size_t>(pieces) * sizeof(double)));
  dispatch_float(x.dtype, [&]<typename S>() {
    for_ranges(pool_, x.count(), kElementGrain, [&](std::int64_t begin, std::int64_t end, int) {
      partial[begin / kElementGrain] = square_sum(x.as<S>() + begin, end - begin);
    });
  });
  return tree_sum(partial, pieces);
}

std::int64_t CpuKernels::count_non_finite(const View& x) {
  check_float(x, "count_non_finite", "x");
  check_packed(x, "count_non_finite", "x");
  std::atomic<std::int64_t> total{0};
  for_ranges(pool_, x.count(), 4 * kElementGrain, [&](std::int64_t begin, std::int64_t end, int) {
    std::int64_t n = 0;
    switch (x.dtype) {
      case DType::f64:
        n = count_full_exponents<std::uint64_t>(x.as<std::uint64_t>() + begin, end - begin,
                                                0x7ff0000000000000u);
        break;
      case DType::f32:
        n = count_full_exponents<std::uint32_t>(x.as<std::uint32_t>() + begin, end - begin,
                                                0x7f800000u);
        break;
      default:
        n = count_full_exponents<std::uint16_t>(
            x.as<std::uint16_t>() + begin, end - begin,
            x.dtype == DType::f16 ? std::uint16_t{0x7c00} : std::uint16_t{0x7f80});
    }
    total.fetch_add(n, std::memory_order_relaxed);
  });
  return total.load();
}

void CpuKernels::adamw(const View& parameter, const View& gradient, const View& m, const View& v,
                       const AdamwOptions& o) {
  check_parameters(parameter, parameter, "adamw", "parameter");
  check_parameters(gradient, parameter, "adamw", "gradient");
  check_parameters(m, parameter, "adamw", "m");
  check_parameters(v, parameter, "adamw", "v");
  check_kernel(o.correction1 > 0.0F && o.correction2 > 0.0F, "adamw",
               "the bias corrections 1 - beta^t must be positive");
  using V = Vec<float>;
  const V grad_scale(o.grad_scale), beta1(o.beta1), rest1(1.0F - o.beta1), beta2(o.beta2),
      rest2(1.0F - o.beta2), eps(o.eps), rate(o.learning_rate), decay(o.weight_decay),
      inverse1(1.0F / o.correction1),
      inverse2(static_cast<float>(1.0 / std::sqrt(static_cast<double>(o.correction2))));
  for_ranges(pool_, parameter.count(), kElementGrain,
             [&](std::int64_t begin, std::int64_t end, int) {
               for (std::int64_t i = begin; i < end; i += V::kLanes) {
                 const int n = static_cast<int>(std::min<std::int64_t>(V::kLanes, end - i));
                 const V g = load_n(gradient.as<float>() + i, n) * grad_scale;
                 const V m1 = fma(beta1, load_n(m.as<float>() + i, n), rest1 * g);
                 const V v1 = fma(beta2, load_n(v.as<float>() + i, n), rest2 * g * g);
                 const V p = load_n(parameter.as<float>() + i, n);
                 const V step = m1 * inverse1 / fma(vsqrt(v1), inverse2, eps);
                 store_n(m.as<float>() + i, m1, n);
                 store_n(v.as<float>() + i, v1, n);
                 store_n(parameter.as<float>() + i, p - rate * fma(decay, p, step), n);
               }
             });
}

void CpuKernels::ema(const View& x, float decay, const View& average) {
  check_parameters(x, x, "ema", "x");
  check_parameters(average, x, "ema", "average");
  using V = Vec<float>;
  const V keep(decay), rest(1.0F - decay);
  for_ranges(pool_, x.count(), kElementGrain, [&](std::int64_t begin, std::int64_t end, int) {
    map_elements(
        end - begin, average.as<float>() + begin, [&](V a, V b) { return fma(keep, a, rest * b); },
        average.as<float>() + begin, x.as<float>() + begin);
  });
}

}  // namespace mantissa::MANTISSA_ISA
