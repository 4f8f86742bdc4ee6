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
  constexpr KernelRate kMoving{0, 0}, kCoding{1, 0};
  constexpr GemmRate kGemm{0.8, 0};
  return {.half = kGemm,
          .fp8 = kGemm,
          .int8 = kGemm,
          .gemm_us = 0,
          .skinny_gemm = 0.4,
          .skinny = kMoving,
          .skinny_depth_us = 0,
          .split_us = 0,
          .convolution = 0.6,
          .convolution_us = 0,
          .attention = 0.3,
          .attention_us = 0,
          .attention_keys = 1,
          .memory = 0.4,
          .copy = kMoving,
          .row_norm = kMoving,
          .row_norm_backward = kMoving,
          .column_norm = kMoving,
          .channel_scaling = kMoving,
          .channel_scaling_backward = kMoving,
          .weight_norm = kMoving,
          .encoding = kCoding,
          .gradient_encoding = kCoding,
          .block_decoding = kMoving,
          .turning = kMoving,
          .int8_sums = kCoding,
          .clear_us = 0,
          .launch_us = 2,
          .clear_gap_us = 0};
}

}  // namespace mantissa
