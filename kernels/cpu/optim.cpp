#include <cmath>

#include "kernels/cpu/optim_tile.h"

namespace mantissa::MANTISSA_ISA {

namespace {

/// Elements whose exponent bits are all ones.
template <typename Bits>
std::int64_t count_full_exponents(const Bits* x, std::int64_t n, Bits mask) {
  std::int64_t count = 0;
  for (std::int64_t i = 0; i < n; ++i) {
    count += (x[i] & mask) == mask ? 1 : 0;
  }
  return count;
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

void CpuKernels::decide_step(std::span<const View> gradients, const View& loss, const View& cells) {
  check_decide_step(gradients, loss, cells);
  for (std::size_t i = 0; i < gradients.size(); ++i) {
    group_cells(cells)[i].norm = sum_of_squares(gradients[i]);
  }
  const bool finite = loss.data == nullptr || std::isfinite(*loss.as<float>());
  step_cell(cells)->loss_finite = finite ? 1 : 0;
  decide_on_host(cells);
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

void CpuKernels::measure_update(const View& before, const View& after, const View& gradient,
                                std::span<const std::int64_t> ends, std::span<Movement> result) {
  check_measure_update(before, after, gradient, ends, result);
  dispatch_float(gradient.dtype, [&]<typename G>() {
    pool_.run(static_cast<std::int64_t>(ends.size()), [&](std::int64_t tensor, int) {
      const auto t = static_cast<std::size_t>(tensor);
      Movement sums;
      for (std::int64_t i = t == 0 ? 0 : ends[t - 1]; i < ends[t]; ++i) {
        const double now = after.as<float>()[i];
        const double delta = now - before.as<float>()[i];
        const bool pulled = static_cast<accumulator_t<G>>(gradient.as<G>()[i]) != 0;
        sums.moved += delta * delta;
        sums.size += now * now;
        sums.with_gradient += pulled ? 1 : 0;
        sums.unmoved += pulled && delta == 0 ? 1 : 0;
      }
      result[t] = sums;
    });
  });
}

void CpuKernels::ema(const View& x, double decay, const View& average) {
  check_ema(x, average);
  using V = Vec<float>;
  const V keep(static_cast<float>(decay)), rest(static_cast<float>(1.0 - decay));
  for_ranges(pool_, x.count(), kElementGrain, [&](std::int64_t begin, std::int64_t end, int) {
    alignas(64) float buffer[kTile];
    for (std::int64_t i = begin; i < end; i += kTile) {
      const int n = static_cast<int>(std::min<std::int64_t>(kTile, end - i));
      float* out = average.as<float>() + i;
      const float* in = load_tile(x, i, n, buffer);
      map_elements(
          n, out, [&](V a, V b) { return fma(keep, a, rest * b); }, out, in);
    }
  });
}

}  // namespace mantissa::MANTISSA_ISA
