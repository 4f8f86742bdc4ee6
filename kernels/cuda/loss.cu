#include <algorithm>

#include "kernels/cuda/backend.h"
#include "kernels/cuda/elements.cuh"
#include "kernels/op_checks.h"

namespace mantissa::cuda {

namespace {

/// Elements one block sums.
constexpr std::int64_t kGrain = 16 * kThreads;

/// The error of a sample's difference d, and half of its derivative.
struct SquaredError {
  template <typename T>
  __device__ T value(std::int64_t, T d) const {
    return d * d;
  }
  template <typename T>
  __device__ T half_slope(std::int64_t, T d) const {
    return d;
  }
};

template <typename T>
struct HuberError {
  const T* width;
  __device__ T value(std::int64_t sample, T d) const {
    // 2c(√(d² + c²) - c), without the difference of nearly equal numbers.
    const T c = width[sample];
    return T(2) * c * d * d / (sqrt(d * d + c * c) + c);
  }
  __device__ T half_slope(std::int64_t sample, T d) const {
    const T c = width[sample];
    return c * d / sqrt(d * d + c * c);
  }
};

/// partial[sample, piece] = Σ error(prediction - target), each in T, their sum in double.
template <typename S, typename Error>
__global__ void __launch_bounds__(kThreads)
    error_kernel(std::int64_t chunks, std::int64_t elements, std::int64_t pieces, Error error,
                 const S* prediction, const S* target, double* partial) {
  for (std::int64_t chunk = blockIdx.x; chunk < chunks; chunk += gridDim.x) {
    const std::int64_t sample = chunk / pieces;
    const std::int64_t begin = sample * elements + chunk % pieces * kGrain;
    const std::int64_t end = std::min((sample + 1) * elements, begin + kGrain);
    double sum = 0;
    for (std::int64_t i = begin + threadIdx.x; i < end; i += blockDim.x) {
      const accumulator_t<S> d = load(prediction + i) - load(target + i);
      sum += static_cast<double>(error.value(sample, d));
    }
    sum = block_sum(sum);
    if (threadIdx.x == 0) {
      partial[chunk] = sum;
    }
  }
}

/// One thread: a few numbers, in order.
template <typename T>
__global__ void mean_loss_kernel(std::int64_t batch, std::int64_t elements, std::int64_t pieces,
                                 const double* partial, const T* weight, T* per_sample, T* loss) {
  double total = 0;
  for (std::int64_t b = 0; b < batch; ++b) {
    double sum = 0;
    for (std::int64_t i = 0; i < pieces; ++i) {
      sum += partial[b * pieces + i];
    }
    const double value = static_cast<double>(weight[b]) * (sum / static_cast<double>(elements));
    per_sample[b] = static_cast<T>(value);
    total += value;
  }
  *loss = static_cast<T>(total / static_cast<double>(batch));
}

/// d_loss·2·weight[b]/count·half_slope(prediction - target) for the elements of sample b.
template <typename T, typename Error>
struct ErrorBackward {
  struct Sample {
    T factor;
    Error error;
    std::int64_t sample;
    __device__ T operator()(T prediction, T target) const {
      return factor * error.half_slope(sample, prediction - target);
    }
  };
  const T *d_loss, *weight;
  double count;
  Error error;
  __device__ Sample at(std::int64_t sample) const {
    const double factor =
        2.0 * static_cast<double>(*d_loss) * static_cast<double>(weight[sample]) / count;
    return {static_cast<T>(factor), error, sample};
  }
};

template <typename S, typename Error>
void mean_error(Context& context, cudaStream_t stream, const Error& error, const View& prediction,
                const View& target, const View& weight, const View& per_sample, const View& loss) {
  using T = accumulator_t<S>;
  const std::int64_t batch = prediction.shape[0];
  const std::int64_t elements = prediction.count() / batch;
  const std::int64_t pieces = ceil_div(elements, kGrain);
  double* partial = context.scratch<double>(Scratch::partial, batch * pieces);
  launch<error_kernel<S, Error>>(stream, grid_for(batch * pieces * kThreads, kThreads, kMaxBlocks),
                                 batch * pieces, elements, pieces, error, prediction.as<const S>(),
                                 target.as<const S>(), partial);
  launch<mean_loss_kernel<T>>(stream, {dim3(1), 1}, batch, elements, pieces, partial,
                              weight.as<const T>(), per_sample.as<T>(), loss.as<T>());
}

template <typename S, typename Error>
void mean_error_backward(cudaStream_t stream, const Error& error, const View& d_loss,
                         const View& prediction, const View& target, const View& weight,
                         const View& d_prediction) {
  using T = accumulator_t<S>;
  const std::int64_t batch = prediction.shape[0], each = prediction.count() / batch;
  map_rows(stream, {batch, each},
           ErrorBackward<T, Error>{d_loss.as<const T>(), weight.as<const T>(),
                                   static_cast<double>(prediction.count()), error},
           Rows<S>{d_prediction.as<S>(), each}, Rows<const S>{prediction.as<const S>(), each},
           Rows<const S>{target.as<const S>(), each});
}

}  // namespace

void CudaKernels::mse_loss(const View& prediction, const View& target, const View& weight,
                           const View& per_sample, const View& loss) {
  check_mse_loss(prediction, target, weight, per_sample, loss);
  dispatch_float(prediction.dtype, [&]<typename S>() {
    mean_error<S>(*context_, stream(), SquaredError{}, prediction, target, weight, per_sample,
                  loss);
  });
}

void CudaKernels::mse_loss_backward(const View& d_loss, const View& prediction, const View& target,
                                    const View& weight, const View& d_prediction) {
  check_mse_loss_backward(d_loss, prediction, target, weight, d_prediction);
  dispatch_float(prediction.dtype, [&]<typename S>() {
    mean_error_backward<S>(stream(), SquaredError{}, d_loss, prediction, target, weight,
                           d_prediction);
  });
}

void CudaKernels::huber_loss(const View& prediction, const View& target, const View& weight,
                             const View& width, const View& per_sample, const View& loss) {
  check_huber_loss(prediction, target, weight, width, per_sample, loss);
  dispatch_float(prediction.dtype, [&]<typename S>() {
    using T = accumulator_t<S>;
    mean_error<S>(*context_, stream(), HuberError<T>{width.as<const T>()}, prediction, target,
                  weight, per_sample, loss);
  });
}

void CudaKernels::huber_loss_backward(const View& d_loss, const View& prediction,
                                      const View& target, const View& weight, const View& width,
                                      const View& d_prediction) {
  check_huber_loss_backward(d_loss, prediction, target, weight, width, d_prediction);
  dispatch_float(prediction.dtype, [&]<typename S>() {
    using T = accumulator_t<S>;
    mean_error_backward<S>(stream(), HuberError<T>{width.as<const T>()}, d_loss, prediction, target,
                           weight, d_prediction);
  });
}

}  // namespace mantissa::cuda
