#include "kernels/cpu/backend.h"
#include "kernels/op_checks.h"

namespace mantissa::MANTISSA_ISA {

void CpuKernels::normal(const View& out, const RandomKey& key) {
  check_float(out, "normal", "out");
  check_packed(out, "normal", "out");
  check_stream_length(out, "normal");
  dispatch_float(out.dtype, [&]<typename S>() {
    for_ranges(pool_, ceil_div(out.count(), 4), 512,
               [&](std::int64_t begin, std::int64_t end, int) {
                 for (std::int64_t block = begin; block < end; ++block) {
                   const auto words = random_block(key, static_cast<std::uint32_t>(block));
                   const auto low = normal_pair(words[0], words[1]);
                   const auto high = normal_pair(words[2], words[3]);
                   const float values[4] = {low[0], low[1], high[0], high[1]};
                   const std::int64_t n = std::min<std::int64_t>(4, out.count() - 4 * block);
                   for (std::int64_t i = 0; i < n; ++i) {
                     out.as<S>()[4 * block + i] = S(values[i]);
                   }
                 }
               });
  });
}

void CpuKernels::draw_normal(std::span<float> out, const RandomKey& key) {
  normal(View(out.data(), DType::f32, {std::ssize(out)}), key);
}

void CpuKernels::add_noise(const View& x, const View& noise, const View& a, const View& s,
                           const View& out) {
  check_add_noise(x, noise, a, s, out);
  const std::int64_t batch = x.shape[0];
  if (x.count() == 0) {
    return;
  }
  const std::int64_t per_sample = x.count() / batch;
  const std::int64_t pieces = ceil_div(per_sample, kElementGrain);
  dispatch_float(x.dtype, [&]<typename S>() {
    using T = accumulator_t<S>;
    pool_.run(batch * pieces, [&](std::int64_t chunk, int) {
      const std::int64_t b = chunk / pieces;
      const std::int64_t begin = b * per_sample + chunk % pieces * kElementGrain;
      const std::int64_t end = std::min((b + 1) * per_sample, begin + kElementGrain);
      const Vec<T> scale(a.as<T>()[b]), sigma(s.as<T>()[b]);
      map_elements(
          end - begin, out.as<S>() + begin,
          [&](Vec<T> u, Vec<T> n) { return fma(scale, u, sigma * n); }, x.as<S>() + begin,
          noise.as<S>() + begin);
    });
  });
}

}  // namespace mantissa::MANTISSA_ISA
