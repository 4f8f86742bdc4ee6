#include "kernels/cpu/backend.h"

namespace mantissa::MANTISSA_ISA {

namespace {

void check_loss(const View& prediction, const View& target, const View& weight,
                const char* kernel) {
  check_float(prediction, kernel, "prediction");
  check_like(target, prediction, kernel, "target");
  check_packed(prediction, kernel, "prediction");
  check_packed(target, kernel, "target");
  check_kernel(prediction.shape.rank() >= 1 && prediction.count() > 0, kernel,
               "prediction must hold at least one sample; it is " + prediction.shape.str());
  check_float(weight, kernel, "weight");
  check_dtype(weight, statistics_dtype(prediction.dtype), kernel, "weight");
  check_shape(weight, {prediction.shape[0]}, kernel, "weight");
}

}  // namespace

void CpuKernels::mse_loss(const View& prediction, const View& target, const View& weight,
                          const View& per_sample, const View& loss) {
  const char* kernel = "mse_loss";
  check_loss(prediction, target, weight, kernel);
  check_like(per_sample, weight, kernel, "per_sample");
  check_float(loss, kernel, "loss");
  check_dtype(loss, weight.dtype, kernel, "loss");
  check_kernel(loss.count() == 1, kernel, "loss must be a scalar; it is " + loss.shape.str());
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
        // Short runs in T, then double: 16 additions a lane lose nothing that shows.
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
  const char* kernel = "mse_loss_backward";
  check_loss(prediction, target, weight, kernel);
  check_like(d_prediction, prediction, kernel, "d_prediction");
  check_packed(d_prediction, kernel, "d_prediction");
  check_float(d_loss, kernel, "d_loss");
  check_dtype(d_loss, weight.dtype, kernel, "d_loss");
  check_kernel(d_loss.count() == 1, kernel, "d_loss must be a scalar; it is " + d_loss.shape.str());
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
