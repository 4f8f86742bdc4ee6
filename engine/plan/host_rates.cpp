#include "engine/plan/host_rates.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <memory>
#include <vector>

#include "engine/plan/backend.h"

namespace mantissa {
namespace {

/// The shortest of a few runs, in seconds: others are disturbed by what else the machine does.
template <typename Work>
double shortest(int runs, Work work) {
  using Clock = std::chrono::steady_clock;
  double best = 1e9;
  for (int i = 0; i < runs; ++i) {
    const auto begin = Clock::now();
    work();
    best = std::min(best, std::chrono::duration<double>(Clock::now() - begin).count());
  }
  return std::max(best, 1e-9);
}

double gemm_tflops() {
  constexpr std::int64_t kSide = 384;
  const auto kernels = make_backend("cpu");
  const Shape shape{kSide, kSide};
  std::vector<float> a(kSide * kSide, 0.5F), b(a), out(a);
  const auto view = [&](std::vector<float>& values) {
    return View(values.data(), DType::f32, shape);
  };
  const double seconds = shortest(
      4, [&] { kernels->matmul(view(a), view(b), View(), view(out), {.transpose_b = true}); });
  return 2e-12 * kSide * kSide * kSide / seconds;
}

double copied_gb_per_s() {
  constexpr std::size_t kBytes = 16U << 20;
  const std::vector<char> from(kBytes, 1);
  std::vector<char> to(kBytes);
  const double seconds = shortest(3, [&] { std::memcpy(to.data(), from.data(), kBytes); });
  return 2e-9 * static_cast<double>(kBytes) / seconds;
}

CardSpec measured() {
  const double tflops = gemm_tflops();
  return {.id = "cpu",
          .name = "CPU",
          .processors = 1,
          .half_tflops = tflops,
          .int8_tops = tflops,
          .tf32_tflops = tflops,
          .fp32_tflops = tflops,
          .copy_gb_per_s = copied_gb_per_s()};
}

}  // namespace

const CardSpec& host_rates() {
  static const CardSpec rates = measured();
  return rates;
}

Efficiency host_efficiency() {
  return {.gemm = 0.8,
          .skinny_gemm = 0.4,
          .convolution = 0.6,
          .attention = 0.3,
          .copy = 0.4,
          .launch_us = 2,
          .gemm_us = 2,
          .coding_gb_per_s = 1};
}

}  // namespace mantissa
