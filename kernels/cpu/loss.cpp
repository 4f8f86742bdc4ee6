#include "kernels/cpu/backend.h"
#include "kernels/op_checks.h"

namespace mantissa::MANTISSA_ISA {

void CpuKernels::mse_loss(const View& prediction, const View& target, const View& weight,
                          const View& per_sample, const View& loss) {
  check_mse_loss(prediction, target, weight, per_sample, loss);
  const std::int64_t batch = prediction.shape[0];
  const std::int64_t elements = prediction.count() / batch;
  const std::int64_t pieces = ceil_div(elements, kElementGrain);
  dispatch_float(prediction.dtype, [&]<typename S>() {
    using T = accumulator_t<S>;
    using V = Vec<T>;
    auto* partial = static_cast<double*>(
        scratch_.shared(static_cast<std::size_t>(batch * pieces) * sizeof(double)));
    pool_.run(batch * pieces, [&](std::int64_t chunk, int) {
      const std::int64_t b = chunk / pieces;
      const std::int64_t begin = b * elements + chunk % pieces * kElementGrain;
      const std::int64_t end = std::min((b + 1) * elements, begin + kElementGrain);
      double sum = 0.0;
      for (std::int64_t i = begin; i < end;) {
        // Short runs in T, then double: 16 additions per lane lose nothing significant.
        V run(T(0));
        for (int j = 0; j < 16 && i < end; ++j, i += V::kLanes) {
          const int n = static_cast<int>(std::min<std::int64_t>(V::kLanes, end - i));
          const V d = load_n(prediction.as<S>() + i, n) - load_n(target.as<S>() + i, n);
          run = fma(d, d, run);
        }
        sum += static_cast<double>(sum_lanes(run));
      }
      partial[chunk] = sum;
    });
    double total = 0.0;
    for (std::int64_t b = 0; b < batch; ++b) {
      double sum = 0.0;
      for (std::int64_t i = 0; i < pieces; ++i) {
        sum += partial[b * pieces + i];
      }
      const double value =
          static_cast<double>(weight.as<T>()[b]) * (sum / static_cast<double>(elements));
      per_sample.as<T>()[b] = static_cast<T>(value);
      total += value;
    }
    *loss.as<T>() = static_cast<T>(total / static_cast<double>(batch));
  });
}

void CpuKernels::mse_loss_backward(const View& d_loss, const View& prediction, const View& target,
                                   const View& weight, const View& d_prediction) {
  check_mse_loss_backward(d_loss, prediction, target, weight, d_prediction);
  const std::int64_t batch = prediction.shape[0];
  const std::int64_t elements = prediction.count() / batch;
  const std::int64_t pieces = ceil_div(elements, kElementGrain);
  dispatch_float(prediction.dtype, [&]<typename S>() {
    using T = accumulator_t<S>;
    pool_.run(batch * pieces, [&](std::int64_t chunk, int) {
      const std::int64_t b = chunk / pieces;
      const std::int64_t begin = b * elements + chunk % pieces * kElementGrain;
      const std::int64_t end = std::min((b + 1) * elements, begin + kElementGrain);
      const Vec<T> factor(static_cast<T>(2.0 * static_cast<double>(*d_loss.as<T>()) *
                                         static_cast<double>(weight.as<T>()[b]) /
                                         static_cast<double>(prediction.count())));
      map_elements(
          end - begin, d_prediction.as<S>() + begin,
          [&](Vec<T> p, Vec<T> t) { return factor * (p - t); }, prediction.as<S>() + begin,
          target.as<S>() + begin);
    });
  });
}

}  // namespace mantissa::MANTISSA_ISA
