// NF4: codes in blocks, and their doubly quantised scales.
#include "kernels/cuda/backend.h"
#include "kernels/cuda/block_magnitude.cuh"
#include "kernels/cuda/device.cuh"
#include "kernels/nf4.h"

namespace mantissa::cuda {
namespace {

constexpr int kGroup = static_cast<int>(kNf4Group);

/// A warp for each block, a lane for each byte: the block's codes, and its largest magnitude, NaN
/// if a value isn't finite.
template <typename S>
__global__ void encode_nf4_kernel(const S* in, std::int64_t count, std::uint8_t* codes,
                                  float* scales) {
  const int lane = static_cast<int>(threadIdx.x) % kWarp;
  const std::int64_t warps = global_threads() / kWarp, blocks = nf4_blocks(count);
  for (std::int64_t b = global_thread() / kWarp; b < blocks; b += warps) {
    const std::int64_t first = b * kNf4Block + 2 * lane;
    float value[2], largest = 0.0F;
#pragma unroll
    for (int i = 0; i < 2; ++i) {
      value[i] = first + i < count ? load(in + first + i) : 0.0F;
      largest = max_nan(largest, magnitude_or_nan(value[i]));
    }
    largest = warp_reduce(largest, max_nan);
    const float inverse = nf4_inverse(largest);
    if (first < count) {
      codes[first / 2] = static_cast<std::uint8_t>(nf4_code(value[0] * inverse) << 4 |
                                                   nf4_code(value[1] * inverse));
    }
    if (lane == 0) {
      scales[b] = largest;
    }
  }
}

/// A thread for each group of blocks: the sum and the number of its finite scales.
__global__ void sum_groups_kernel(const float* scales, std::int64_t blocks, double* sums) {
  const std::int64_t groups = ceil_div(blocks, kNf4Group);
  for (std::int64_t g = global_thread(); g < groups; g += global_threads()) {
    double sum = 0, finite = 0;
    const std::int64_t end = blocks < (g + 1) * kNf4Group ? blocks : (g + 1) * kNf4Group;
    for (std::int64_t i = g * kNf4Group; i < end; ++i) {
      const bool is_number = scales[i] == scales[i];
      sum += is_number ? static_cast<double>(scales[i]) : 0.0;
      finite += is_number ? 1.0 : 0.0;
    }
    sums[2 * g] = sum;
    sums[2 * g + 1] = finite;
  }
}

/// One block: the map, and the mean as the offset.
__global__ void map_and_offset_kernel(const double* sums, std::int64_t groups, float* scales) {
  scales[threadIdx.x] = nf4_map_value(static_cast<int>(threadIdx.x));
  if (threadIdx.x == 0) {
    double sum = 0, finite = 0;
    for (std::int64_t g = 0; g < groups; ++g) {
      sum += sums[2 * g];
      finite += sums[2 * g + 1];
    }
    scales[kNf4Map] = finite > 0 ? static_cast<float>(sum / finite) : 0.0F;
  }
}

/// A block of threads for each group, a thread for each scale.
__global__ void encode_groups_kernel(const float* scales, std::int64_t blocks, Nf4Codes to) {
  const std::int64_t group = blockIdx.x, i = group * kNf4Group + threadIdx.x;
  const float x = i < blocks ? scales[i] - to.offset() : 0.0F;
  const float largest = block_reduce(std::fabs(x), 0.0F, max_nan);
  if (threadIdx.x == 0) {
    to.scales[kNf4Map + 1 + group] = largest;
  }
  if (i < blocks) {
    to.block_codes[i] = nf4_nearest(to.scales, largest > 0.0F ? x / largest : 0.0F);
  }
}

/// Values of packed rows -> rows `stride` apart; N neighbours, of one block, to a thread.
template <typename S, int N>
__global__ void decode_nf4_kernel(Nf4Codes from, std::int64_t rows, std::int64_t cols, S* out,
                                  std::int64_t stride) {
  // Numbers chosen by data would be copied to each thread's slow local memory; here each of the 16
  // has a bank of its own.
  __shared__ float numbers[16];
  if (threadIdx.x == 0) {
#pragma unroll
    for (int code = 0; code < 16; ++code) {
      numbers[code] = nf4_value(code);
    }
  }
  __syncthreads();
  const std::int64_t packs = cols / N;
  for (std::int64_t i = global_thread(); i < rows * packs; i += global_threads()) {
    const std::int64_t row = rows == 1 ? 0 : i / packs, first = i * N;
    const float scale = from.scale(first / kNf4Block);
    Pack<S, N> values;
    if constexpr (N == 1) {
      values.value[0] = rounded<S>(numbers[from.code(first)] * scale);
    } else {
      const Pack<std::uint8_t, N / 2> pairs = load_pack<N / 2>(from.codes + first / 2);
#pragma unroll
      for (int j = 0; j < N; ++j) {
        const int pair = pairs.value[j / 2];
        values.value[j] = rounded<S>(numbers[j % 2 == 0 ? pair >> 4 : pair & 15] * scale);
      }
    }
    store_pack<N>(out + row * stride + (i - row * packs) * N, values);
  }
}

}  // namespace

void CudaKernels::quantize_nf4(const View& in, const View& out) {
  const std::int64_t count = in.count(), blocks = nf4_blocks(count), groups = nf4_groups(count);
  const Nf4Codes to = nf4_codes(out.data, out.dtype, count);
  const bool nested = to.block_codes != nullptr;
  float* scales = nested ? context_->scratch<float>(Scratch::operand_c, blocks) : to.scales;
  dispatch_narrow(in.dtype, [&]<typename S>() {
    launch<encode_nf4_kernel<S>>(stream(), grid_for(blocks * kWarp), in.as<S>(), count, to.codes,
                                 scales);
  });
  if (nested) {
    auto* sums = context_->scratch<double>(Scratch::partial, 2 * groups);
    launch<sum_groups_kernel>(stream(), grid_for(groups), scales, blocks, sums);
    launch<map_and_offset_kernel>(stream(), {dim3(1), kNf4Map, 0}, sums, groups, to.scales);
    launch<encode_groups_kernel>(stream(), {dim3(static_cast<unsigned>(groups)), kGroup, 0}, scales,
                                 blocks, to);
  }
}

void CudaKernels::dequantize_nf4(const View& in, const View& out) {
  const Nf4Codes from = nf4_codes(in.data, in.dtype, in.count());
  const bool flat = out.contiguous();
  const std::int64_t rows = flat ? 1 : out.rows(), cols = flat ? out.count() : out.cols();
  dispatch_float(out.dtype, [&]<typename S>() {
    dispatch_pack<S>(cols % kPack<S> == 0 && in_packs<kPack<S>>(out), [&]<int N>() {
      launch<decode_nf4_kernel<S, N>>(stream(), grid_for(rows * (cols / N)), from, rows, cols,
                                      out.as<S>(), flat ? cols : out.row_stride);
    });
  });
}

}  // namespace mantissa::cuda
