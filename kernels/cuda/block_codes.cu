// Block formats: MXFP8 and NVFP4 made and read, GGUF's read.
#include "kernels/block_codes.h"
#include "kernels/cuda/backend.h"
#include "kernels/cuda/block_magnitude.cuh"
#include "kernels/cuda/device.cuh"

namespace mantissa::cuda {
namespace {

constexpr int kLargestBlocks = 256;

/// The largest finite magnitude of each block of threads' values.
template <typename S>
__global__ void largest_finite_kernel(const S* in, std::int64_t count, float* partial) {
  float largest = 0.0F;
  for (std::int64_t i = global_thread(); i < count; i += global_threads()) {
    largest = std::fmax(largest, magnitude_or_nan(load(in + i)));  // NaN is passed over
  }
  largest = block_reduce(largest, 0.0F, max_nan);
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = largest;
  }
}

/// One block: the factor of the tensor.
__global__ void factor_kernel(const float* partial, int count, float* factor) {
  const auto i = static_cast<int>(threadIdx.x);
  const float largest = block_reduce(i < count ? partial[i] : 0.0F, 0.0F, max_nan);
  if (i == 0) {
    *factor = count > 0 ? nvfp4_factor(largest) : 1.0F;
  }
}

/// The largest over `lanes` neighbours of a warp, a power of two.
__device__ inline float largest_of_lanes(float x, int lanes) {
  for (int lane = lanes / 2; lane > 0; lane /= 2) {
    x = max_nan(x, __shfl_xor_sync(0xffffffffu, x, lane));
  }
  return x;
}

/// A warp for each block, a lane for each value.
template <typename S>
__global__ void encode_mxfp8_kernel(const S* in, std::int64_t count, BlockTensor to) {
  using Codec = BlockCodec<DType::mxfp8>;
  static_assert(Codec::kValues == kWarp);
  const int lane = static_cast<int>(threadIdx.x) % kWarp;
  const std::int64_t blocks = ceil_div(count, kWarp), warps = global_threads() / kWarp;
  for (std::int64_t b = global_thread() / kWarp; b < blocks; b += warps) {
    const std::int64_t i = b * kWarp + lane;
    const float x = i < count ? load(in + i) : 0.0F;
    const float largest = largest_of_lanes(magnitude_or_nan(x), kWarp);
    const std::uint8_t scale = largest == largest ? mx_scale(largest) : std::uint8_t{255};
    to.codes[i] = mx_code(x, scale);
    if (lane == 0) {
      to.scales[b] = scale;
    }
  }
}

/// Eight lanes for each block, a lane for each byte. The grid covers whole warps.
template <typename S>
__global__ void encode_nvfp4_kernel(const S* in, std::int64_t count, BlockTensor to) {
  using Codec = BlockCodec<DType::nvfp4>;
  constexpr int kLanes = Codec::kBytes, kPerWarp = kWarp / kLanes;
  const int lane = static_cast<int>(threadIdx.x) % kLanes;
  const std::int64_t blocks = ceil_div(count, Codec::kValues);
  const std::int64_t rounds = ceil_div(blocks, kPerWarp) * kPerWarp;
  for (std::int64_t b = global_thread() / kLanes; b < rounds; b += global_threads() / kLanes) {
    const std::int64_t first = b * Codec::kValues + 2 * lane;
    float value[2], largest = 0.0F;
#pragma unroll
    for (int i = 0; i < 2; ++i) {
      value[i] = first + i < count ? load(in + first + i) : 0.0F;
      largest = max_nan(largest, magnitude_or_nan(value[i]));
    }
    largest = largest_of_lanes(largest, kLanes);
    const std::uint8_t code = largest == largest ? nvfp4_scale(largest, *to.factor) : kNvfp4Nan;
    const float scale = detail::decode_float<4, 3, false>(code) * *to.factor;
    if (b < blocks) {
      to.codes[b * kLanes + lane] =
          static_cast<std::uint8_t>(nvfp4_code(value[0], scale) << 4 | nvfp4_code(value[1], scale));
      if (lane == 0) {
        to.scales[b] = code;
      }
    }
  }
}

/// Values of packed rows -> rows `stride` apart; N neighbours, of one run, to a thread.
template <typename Codec, typename S, int N>
__global__ void decode_blocks_kernel(BlockTensor from, std::int64_t rows, std::int64_t cols, S* out,
                                     std::int64_t stride) {
  const std::int64_t packs = cols / N;
  for (std::int64_t i = global_thread(); i < rows * packs; i += global_threads()) {
    const std::int64_t row = rows == 1 ? 0 : i / packs, first = i * N;
    const BlockAt block = from.at<Codec>(first / Codec::kValues);
    const auto place = static_cast<int>(first % Codec::kValues);
    const BlockStep step = Codec::step(block, place / Codec::kRun);
    Pack<S, N> values;
    if constexpr (Codec::kScales > 0 && N > 1) {  // codes alone: one access for all of them
      constexpr int kHeld = N * Codec::kBytes / Codec::kValues;
      const auto held = load_pack<kHeld>(block.codes + place * Codec::kBytes / Codec::kValues);
      const BlockAt own{held.value, block.scale, block.factor};
#pragma unroll
      for (int j = 0; j < N; ++j) {
        values.value[j] = rounded<S>(block_value(step, Codec::code(own, j)));
      }
    } else {
#pragma unroll
      for (int j = 0; j < N; ++j) {
        values.value[j] = rounded<S>(block_value(step, Codec::code(block, place + j)));
      }
    }
    store_pack<N>(out + row * stride + (i - row * packs) * N, values);
  }
}

}  // namespace

void CudaKernels::quantize_blocks(const View& in, const View& out) {
  const std::int64_t count = in.count();
  const BlockTensor to = block_tensor(out.data, out.dtype, count);
  const std::int64_t blocks = block_layout(out.dtype, count).blocks;
  dispatch_narrow(in.dtype, [&]<typename S>() {
    auto* partial = context_->scratch<float>(Scratch::partial, kLargestBlocks);
    int parts = 0;
    if (out.dtype == DType::nvfp4) {
      const Grid grid = grid_for(count, kThreads, kLargestBlocks);
      parts = static_cast<int>(grid.blocks.x);
      launch<largest_finite_kernel<S>>(stream(), grid, in.as<S>(), count, partial);
    }
    launch<factor_kernel>(stream(), {dim3(1), kLargestBlocks, 0}, partial, parts, to.factor);
    if (out.dtype == DType::nvfp4) {
      launch<encode_nvfp4_kernel<S>>(stream(), grid_for(blocks * 8), in.as<S>(), count, to);
    } else {
      launch<encode_mxfp8_kernel<S>>(stream(), grid_for(blocks * kWarp), in.as<S>(), count, to);
    }
  });
}

void CudaKernels::dequantize_blocks(const View& in, const View& out) {
  const BlockTensor from = block_tensor(in.data, in.dtype, in.count());
  const bool flat = out.contiguous();
  const std::int64_t rows = flat ? 1 : out.rows(), cols = flat ? out.count() : out.cols();
  dispatch_blocks(in.dtype, [&]<typename Codec>() {
    dispatch_float(out.dtype, [&]<typename S>() {
      dispatch_pack<S>(cols % kPack<S> == 0 && in_packs<kPack<S>>(out), [&]<int N>() {
        launch<decode_blocks_kernel<Codec, S, N>>(stream(), grid_for(rows * (cols / N)), from, rows,
                                                  cols, out.as<S>(), flat ? cols : out.row_stride);
      });
    });
  });
}

}  // namespace mantissa::cuda
