// Statistics of a tensor's values in a storage format, in one pass.
#include "kernels/check_quant.h"
#include "kernels/cuda/backend.h"
#include "kernels/cuda/device.cuh"
#include "kernels/format_grid.h"

namespace mantissa::cuda {
namespace {

constexpr int kBins = TensorStatistics::kBins;
constexpr std::int64_t kMostBlocks = 512;
/// Values for each thread before there are more blocks: a block's sums cost as much.
constexpr std::int64_t kValues = 8;

/// Sums over what one block read.
struct Partial {
  std::int64_t zeros, non_finite, underflow, subnormal, overflow;
  double signal, noise;
  float amax, scaled_amax;
  std::uint32_t bins[kBins];
};

/// The measured tensor: rows `stride` apart; scales per tensor, per row, or absent.
template <typename S>
struct Looked {
  const S* data;
  std::int64_t rows, cols, stride;
  const float *factor, *scale;
  bool by_row;
};

/// Adds one value to the sums of a thread and to the bins of its warp.
template <typename G>
__device__ inline void look_at(float x, float scale, Partial& p, std::uint32_t* bins) {
  const std::uint32_t bits = __float_as_uint(x) & 0x7fffffffu;
  if (bits >= 0x7f800000u) {
    ++p.non_finite;
    return;
  }
  if (bits == 0) {
    ++p.zeros;
    return;
  }
  const float a = __uint_as_float(bits), y = a * (1.0F / scale);
  const float nearest = G::round(y);
  const float kept = nearest < G::kMax ? nearest : G::kMax;
  p.underflow += nearest == 0.0F ? 1 : 0;
  p.subnormal += nearest != 0.0F && nearest < G::kMinNormal ? 1 : 0;
  p.overflow += nearest > G::kMax ? 1 : 0;
  p.amax = a > p.amax ? a : p.amax;
  p.scaled_amax = y > p.scaled_amax ? y : p.scaled_amax;
  const auto error = static_cast<double>(G::kShift == 0 ? 0.0F : std::fma(-kept, scale, a));
  p.signal += static_cast<double>(a) * static_cast<double>(a);
  p.noise += error * error;
  const int exponent = static_cast<int>(bits >> 23) - 127 - TensorStatistics::kFirstExponent;
  atomicAdd(bins + (exponent < 0 ? 0 : exponent < kBins ? exponent : kBins - 1), 1u);
}

/// Combines the threads' counts in thread 0.
template <typename Part>
__device__ inline Part merged(Part p) {
  const auto larger = [](auto a, auto b) { return a > b ? a : b; };
  p.zeros = block_sum(p.zeros);
  p.non_finite = block_sum(p.non_finite);
  p.underflow = block_sum(p.underflow);
  p.subnormal = block_sum(p.subnormal);
  p.overflow = block_sum(p.overflow);
  p.signal = block_sum(p.signal);
  p.noise = block_sum(p.noise);
  p.amax = block_reduce(p.amax, decltype(p.amax)(0), larger);
  p.scaled_amax = block_reduce(p.scaled_amax, decltype(p.scaled_amax)(0), larger);
  return p;
}

template <typename S, typename G>
__global__ void statistics_kernel(Looked<S> x, Partial* partial) {
  __shared__ std::uint32_t bins[kWarps][kBins];
  const int thread = static_cast<int>(threadIdx.x);
  for (int i = thread; i < kWarps * kBins; i += kThreads) {
    bins[i / kBins][i % kBins] = 0;
  }
  __syncthreads();
  Partial p{};
  for (std::int64_t i = global_thread(); i < x.rows * x.cols; i += global_threads()) {
    const std::int64_t row = x.rows == 1 ? 0 : i / x.cols, col = i - row * x.cols;
    float value = static_cast<float>(load(x.data + row * x.stride + col));
    value *= x.factor != nullptr ? x.factor[col] : 1.0F;
    look_at<G>(value, x.scale != nullptr ? x.scale[x.by_row ? row : 0] : 1.0F, p,
               bins[thread / kWarp]);
  }
  p = merged(p);
  __syncthreads();
  if (thread == 0) {
    partial[blockIdx.x] = p;
  }
  __syncthreads();
  for (int bin = thread; bin < kBins; bin += kThreads) {
    std::uint32_t sum = 0;
    for (int warp = 0; warp < kWarps; ++warp) {
      sum += bins[warp][bin];
    }
    partial[blockIdx.x].bins[bin] = sum;
  }
}

/// Sums `blocks` partial results; one block.
__global__ void add_statistics_kernel(const Partial* partial, int blocks, std::int64_t count,
                                      TensorStatistics* out) {
  const int thread = static_cast<int>(threadIdx.x);
  TensorStatistics sum{};
  for (int i = thread; i < blocks; i += kThreads) {
    const Partial& p = partial[i];
    sum.zeros += p.zeros;
    sum.non_finite += p.non_finite;
    sum.underflow += p.underflow;
    sum.subnormal += p.subnormal;
    sum.overflow += p.overflow;
    sum.signal += p.signal;
    sum.noise += p.noise;
    sum.amax = p.amax > sum.amax ? p.amax : sum.amax;
    sum.scaled_amax = p.scaled_amax > sum.scaled_amax ? p.scaled_amax : sum.scaled_amax;
  }
  sum = merged(sum);
  sum.count = count;
  if (thread == 0) {
    *out = sum;
  }
  __syncthreads();
  for (int bin = thread; bin < kBins; bin += kThreads) {
    std::int64_t n = 0;
    for (int i = 0; i < blocks; ++i) {
      n += partial[i].bins[bin];
    }
    out->histogram[static_cast<std::size_t>(bin)] = n;
  }
}

/// Capacity of the queue in device memory; it is fetched when full.
constexpr std::int64_t kMostQueued = 1024;

}  // namespace

void CudaKernels::launch_statistics(const View& x, const View& column_factor, DType format,
                                    const View& scale, TensorStatistics* to) {
  if (format == DType::i8_rotated) {
    launch_statistics(rotated_fp32(x), {}, DType::i8, scale, to);
    return;
  }
  const bool by_row = scale && scale.count() > 1;
  const bool flat = x.contiguous() && !by_row && !column_factor;
  const Grid grid = grid_for((x.count() + kValues - 1) / kValues, kThreads, kMostBlocks);
  auto* partial = context_->scratch<Partial>(Scratch::partial, kMostBlocks);
  dispatch_float(x.dtype, [&]<typename S>() {
    const Looked<S> looked{x.as<S>(),
                           flat ? 1 : x.rows(),
                           flat ? x.count() : x.cols(),
                           flat ? x.count() : x.row_stride,
                           column_factor.as<float>(),
                           scale.as<float>(),
                           by_row};
    dispatch_format_grid(format, [&]<typename G>() {
      launch<statistics_kernel<S, G>>(stream(), grid, looked, partial);
    });
  });
  launch<add_statistics_kernel>(stream(), {dim3(1), kThreads, 0}, partial,
                                x.count() == 0 ? 0 : static_cast<int>(grid.blocks.x), x.count(),
                                to);
}

TensorStatistics CudaKernels::tensor_statistics(const View& x, const View& column_factor,
                                                DType format, const View& scale) {
  check_tensor_statistics(x, column_factor, format, scale);
  context_->refuse_recording("tensor_statistics");
  auto* sum = context_->scratch<TensorStatistics>(Scratch::result, 1);
  launch_statistics(x, column_factor, format, scale, sum);
  return context_->read(sum);
}

void CudaKernels::queue_statistics(const View& x, const View& column_factor, DType format,
                                   const View& scale) {
  check_tensor_statistics(x, column_factor, format, scale);
  context_->refuse_recording("queue_statistics");
  if (statistics_on_device_ == kMostQueued) {
    fetch_statistics();
  }
  auto* results = context_->scratch<TensorStatistics>(Scratch::statistics, kMostQueued);
  launch_statistics(x, column_factor, format, scale, results + statistics_on_device_);
  ++statistics_on_device_;
}

void CudaKernels::fetch_statistics() {
  if (statistics_on_device_ > 0) {
    const std::size_t before = statistics_.size();
    const auto count = static_cast<std::size_t>(std::exchange(statistics_on_device_, 0));
    statistics_.resize(before + count);
    context_->download(context_->scratch<TensorStatistics>(Scratch::statistics, kMostQueued),
                       statistics_.data() + before, count * sizeof(TensorStatistics));
  }
}

std::vector<TensorStatistics> CudaKernels::take_statistics() {
  fetch_statistics();
  return std::exchange(statistics_, {});
}

}  // namespace mantissa::cuda
