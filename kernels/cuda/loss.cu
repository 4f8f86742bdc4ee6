#include <algorithm>

#include "kernels/cuda/backend.h"
#include "kernels/cuda/elements.cuh"
#include "kernels/op_checks.h"

namespace mantissa::cuda {

namespace {

/// Elements one block sums.
constexpr std::int64_t kGrain = 16 * kThreads;

/// partial[sample, piece] = Σ (prediction - target)², each square in T, their sum in double.
template <typename S>
__global__ void __launch_bounds__(kThreads)
    squared_error_kernel(std::int64_t chunks, std::int64_t elements, std::int64_t pieces,
                         const S* prediction, const S* target, double* partial) {
  for (std::int64_t chunk = blockIdx.x; chunk < chunks; chunk += gridDim.x) {
    const std::int64_t sample = chunk / pieces;
    const std::int64_t begin = sample * elements + chunk % pieces * kGrain;
    const std::int64_t end = std::min((sample + 1) * elements, begin + kGrain);
    double sum = 0;
    for (std::int64_t i = begin + threadIdx.x; i < end; i += blockDim.x) {
      const accumulator_t<S> d = load(prediction + i) - load(target + i);
      sum += static_cast<double>(d * d);
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

/// d_loss·2·weight[b]/count·(prediction - target) for the elements of sample b.
template <typename T>
struct MseBackward {
  struct Sample {
    T factor;
    __device__ T operator()(T prediction, T target) const { return factor * (prediction - target); }
  };
  const T *d_loss, *weight;
  double count;
  __device__ Sample at(std::int64_t sample) const {
    return {static_cast<T>(2.0 * static_cast<double>(*d_loss) *
                           static_cast<double>(weight[sample]) / count)};
  }
};

}  // namespace

void CudaKernels::mse_loss(const View& prediction, const View& target, const View& weight,
                           const View& per_sample, const View& loss) {
  check_mse_loss(prediction, target, weight, per_sample, loss);
  const std::int64_t batch = prediction.shape[0];
  const std::int64_t elements = prediction.count() / batch;
  const std::int64_t pieces = ceil_div(elements, kGrain);
  double* partial = context_->scratch<double>(Scratch::partial, batch * pieces);
  dispatch_float(prediction.dtype, [&]<typename S>() {
    using T = accumulator_t<S>;
    launch(stream(), grid_for(batch * pieces * kThreads, kThreads, kMaxBlocks),
           squared_error_kernel<S>, batch * pieces, elements, pieces, prediction.as<const S>(),
           target.as<const S>(), partial);
    launch(stream(), {dim3(1), 1}, mean_loss_kernel<T>, batch, elements, pieces, partial,
           weight.as<const T>(), per_sample.as<T>(), loss.as<T>());
  });
}

void CudaKernels::mse_loss_backward(const View& d_loss, const View& prediction, const View& target,
                                    const View& weight, const View& d_prediction) {
  check_mse_loss_backward(d_loss, prediction, target, weight, d_prediction);
  const std::int64_t batch = prediction.shape[0], each = prediction.count() / batch;
  dispatch_float(prediction.dtype, [&]<typename S>() {
    using T = accumulator_t<S>;
    map_rows(stream(), {batch, each},
             MseBackward<T>{d_loss.as<const T>(), weight.as<const T>(),
                            static_cast<double>(prediction.count())},
             Rows<S>{d_prediction.as<S>(), each}, Rows<const S>{prediction.as<const S>(), each},
             Rows<const S>{target.as<const S>(), each});
  });
}

}  // namespace mantissa::cuda
