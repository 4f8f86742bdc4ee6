#include "kernels/cpu/backend.h"
#include "kernels/op_checks.h"

namespace mantissa::MANTISSA_ISA {

namespace {

/// The error of a sample's differences d: sum + error(d), and half of its derivative.
template <typename T>
struct SquaredError {
  Vec<T> add(std::int64_t, Vec<T> d, Vec<T> sum) const { return fma(d, d, sum); }
  Vec<T> half_slope(std::int64_t, Vec<T> d) const { return d; }
};

template <typename T>
struct HuberError {
  const T* width;
  Vec<T> add(std::int64_t sample, Vec<T> d, Vec<T> sum) const {
    // 2c(√(d² + c²) - c), without the difference of nearly equal numbers.
    const Vec<T> c(width[sample]), square = d * d;
    return sum + Vec<T>(T(2)) * c * square / (vsqrt(fma(c, c, square)) + c);
  }
  Vec<T> half_slope(std::int64_t sample, Vec<T> d) const {
    const Vec<T> c(width[sample]);
    return c * d / vsqrt(fma(c, c, d * d));
  }
};

/// Runs piece(sample, begin, end, chunk) for pieces of at most kElementGrain elements.
template <typename Piece>
void for_pieces(ThreadPool& pool, const View& prediction, Piece&& piece) {
  const std::int64_t batch = prediction.shape[0];
  const std::int64_t elements = prediction.count() / batch;
  const std::int64_t pieces = ceil_div(elements, kElementGrain);
  pool.run(batch * pieces, [&](std::int64_t chunk, int) {
    const std::int64_t sample = chunk / pieces;
    const std::int64_t begin = sample * elements + chunk % pieces * kElementGrain;
    piece(sample, begin, std::min((sample + 1) * elements, begin + kElementGrain), chunk);
  });
}

template <typename S, typename Error>
void mean_error(ThreadPool& pool, Scratch& scratch, const Error& error, const View& prediction,
                const View& target, const View& weight, const View& per_sample, const View& loss) {
  using T = accumulator_t<S>;
  using V = Vec<T>;
  const std::int64_t batch = prediction.shape[0];
  const std::int64_t elements = prediction.count() / batch;
  const std::int64_t pieces = ceil_div(elements, kElementGrain);
  auto* partial = static_cast<double*>(
      scratch.shared(static_cast<std::size_t>(batch * pieces) * sizeof(double)));
  for_pieces(pool, prediction,
             [&](std::int64_t b, std::int64_t begin, std::int64_t end, std::int64_t chunk) {
               double sum = 0.0;
               for (std::int64_t i = begin; i < end;) {
                 // Short runs in T, then double: 16 additions per lane lose nothing significant.
                 V run(T(0));
                 for (int j = 0; j < 16 && i < end; ++j, i += V::kLanes) {
                   const int n = static_cast<int>(std::min<std::int64_t>(V::kLanes, end - i));
                   const V d = load_n(prediction.as<S>() + i, n) - load_n(target.as<S>() + i, n);
                   run = error.add(b, d, run);
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
}

template <typename S, typename Error>
void mean_error_backward(ThreadPool& pool, const Error& error, const View& d_loss,
                         const View& prediction, const View& target, const View& weight,
                         const View& d_prediction) {
  using T = accumulator_t<S>;
  for_pieces(pool, prediction,
             [&](std::int64_t b, std::int64_t begin, std::int64_t end, std::int64_t) {
               const Vec<T> factor(static_cast<T>(2.0 * static_cast<double>(*d_loss.as<T>()) *
                                                  static_cast<double>(weight.as<T>()[b]) /
                                                  static_cast<double>(prediction.count())));
               map_elements(
                   end - begin, d_prediction.as<S>() + begin,
                   [&](Vec<T> p, Vec<T> t) { return factor * error.half_slope(b, p - t); },
                   prediction.as<S>() + begin, target.as<S>() + begin);
             });
}

}  // namespace

void CpuKernels::mse_loss(const View& prediction, const View& target, const View& weight,
                          const View& per_sample, const View& loss) {
  check_mse_loss(prediction, target, weight, per_sample, loss);
  dispatch_float(prediction.dtype, [&]<typename S>() {
    mean_error<S>(pool_, scratch_, SquaredError<accumulator_t<S>>{}, prediction, target, weight,
                  per_sample, loss);
  });
}

void CpuKernels::mse_loss_backward(const View& d_loss, const View& prediction, const View& target,
                                   const View& weight, const View& d_prediction) {
  check_mse_loss_backward(d_loss, prediction, target, weight, d_prediction);
  dispatch_float(prediction.dtype, [&]<typename S>() {
    mean_error_backward<S>(pool_, SquaredError<accumulator_t<S>>{}, d_loss, prediction, target,
                           weight, d_prediction);
  });
}

void CpuKernels::huber_loss(const View& prediction, const View& target, const View& weight,
                            const View& width, const View& per_sample, const View& loss) {
  check_huber_loss(prediction, target, weight, width, per_sample, loss);
  dispatch_float(prediction.dtype, [&]<typename S>() {
    using T = accumulator_t<S>;
    mean_error<S>(pool_, scratch_, HuberError<T>{width.as<T>()}, prediction, target, weight,
                  per_sample, loss);
  });
}

void CpuKernels::huber_loss_backward(const View& d_loss, const View& prediction, const View& target,
                                     const View& weight, const View& width,
                                     const View& d_prediction) {
  check_huber_loss_backward(d_loss, prediction, target, weight, width, d_prediction);
  dispatch_float(prediction.dtype, [&]<typename S>() {
    using T = accumulator_t<S>;
    mean_error_backward<S>(pool_, HuberError<T>{width.as<T>()}, d_loss, prediction, target, weight,
                           d_prediction);
  });
}

}  // namespace mantissa::MANTISSA_ISA
