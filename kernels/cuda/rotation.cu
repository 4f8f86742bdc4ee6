// Rows rotated in groups (kernels/rotation.h), and their int8 codes.
#include "kernels/check_quant.h"
#include "kernels/cuda/backend.h"
#include "kernels/cuda/device.cuh"
#include "kernels/rotation.h"
#include "kernels/weight_codes.h"

namespace mantissa::cuda {
namespace {

constexpr int kSpan = static_cast<int>(kMostRotated);  ///< of a row: whole groups, for a warp

/// A warp's part of a matrix of rotated rows, in shared memory.
struct Chunk {
  float* values;
  int lane;
  int count;  ///< of values: whole groups

  /// Runs f(i) for every value, shared among the lanes.
  template <typename F>
  __device__ void each(F&& f) const {
    for (int i = lane; i < count; i += kWarp) {
      f(i);
    }
  }
  __device__ void rotate(int group) const {
    for (int stride = 1; stride < group; stride *= 4) {
      __syncwarp();
      for (int i = lane; i < count / 4; i += kWarp) {
        float* at = values + i / stride * 4 * stride + i % stride;
        rotate_four(at[0], at[stride], at[2 * stride], at[3 * stride]);
      }
    }
    __syncwarp();
  }
};
__device__ inline Chunk chunk_at(float* values, std::int64_t first, std::int64_t cols) {
  const std::int64_t rest = cols - first;
  return {values, static_cast<int>(threadIdx.x) % kWarp,
          static_cast<int>(rest < kSpan ? rest : kSpan)};
}

/// One block per row, which it reads twice: for the largest value, then for the codes.
template <typename S>
__global__ void quantize_rotated_kernel(Rows<const S> in, std::int64_t cols, int group,
                                        float* scale, std::uint8_t* out) {
  __shared__ float shared[kWarps][kSpan];
  const int warp = static_cast<int>(threadIdx.x) / kWarp;
  const int warps = static_cast<int>(blockDim.x) / kWarp;
  const std::int64_t row = blockIdx.x;
  const auto each_chunk = [&](auto&& use) {
    for (std::int64_t first = warp * kSpan; first < cols; first += warps * kSpan) {
      const Chunk chunk = chunk_at(shared[warp], first, cols);
      chunk.each([&](int i) { chunk.values[i] = load(in.at(row, first + i)); });
      chunk.rotate(group);
      use(chunk, first);
      __syncwarp();
    }
  };
  float most = 0.0F;
  each_chunk([&](const Chunk& chunk, std::int64_t) {
    chunk.each([&](int i) {
      const float a = std::fabs(chunk.values[i]);
      most = max_nan(a <= 3.402823466e+38F ? a : a - a, most);
    });
  });
  most = block_reduce(most, 0.0F, [](float a, float b) { return max_nan(a, b); });
  const float s = code_scale(most, CodeFormat<int8_code>::kMax), inverse = 1.0F / s;
  if (threadIdx.x == 0) {
    scale[row] = s;
  }
  each_chunk([&](const Chunk& chunk, std::int64_t first) {
    chunk.each([&](int i) {
      out[row * cols + first + i] = CodeFormat<int8_code>::encode(chunk.values[i] * inverse);
    });
  });
}

/// Rotates the rows of a matrix, a warp for each chunk: store(row, col, value) of load(row, col).
template <typename Load, typename Store>
__device__ inline void rotate_matrix(std::int64_t rows, std::int64_t cols, int group,
                                     Load&& load_at, Store&& store_at) {
  __shared__ float shared[kWarps][kSpan];
  const std::int64_t chunks = ceil_div(cols, kSpan), warps = global_threads() / kWarp;
  for (std::int64_t c = global_thread() / kWarp; c < rows * chunks; c += warps) {
    const std::int64_t row = c / chunks, first = (c - row * chunks) * kSpan;
    const Chunk chunk = chunk_at(shared[threadIdx.x / kWarp], first, cols);
    chunk.each([&](int i) { chunk.values[i] = load_at(row, first + i); });
    chunk.rotate(group);
    chunk.each([&](int i) { store_at(row, first + i, chunk.values[i]); });
    __syncwarp();
  }
}

/// Codes of rows -> values.
template <typename S>
__global__ void dequantize_rotated_kernel(const int8_code* in, const float* scale, bool by_row,
                                          std::int64_t rows, std::int64_t cols, int group,
                                          Rows<S> out) {
  rotate_matrix(
      rows, cols, group,
      [&](std::int64_t row, std::int64_t col) {
        return load(in + row * cols + col) * scale[by_row ? row : 0];
      },
      [&](std::int64_t row, std::int64_t col, float value) {
        *out.at(row, col) = rounded<S>(value);
      });
}

/// out = in rotated + addend, if that is given.
template <typename S, typename O>
__global__ void rotate_kernel(Rows<const S> in, Rows<const O> addend, std::int64_t rows,
                              std::int64_t cols, int group, Rows<O> out) {
  rotate_matrix(
      rows, cols, group,
      [&](std::int64_t row, std::int64_t col) { return static_cast<float>(load(in.at(row, col))); },
      [&](std::int64_t row, std::int64_t col, float value) {
        value += addend.data != nullptr ? load(addend.at(row, col)) : 0.0F;
        *out.at(row, col) = rounded<O>(value);
      });
}

/// Threads for the chunks of a matrix.
Grid grid_for_chunks(const View& v) {
  return grid_for(v.rows() * ceil_div(v.cols(), kSpan) * kWarp, kThreads);
}
int group_of(const View& v) {
  return static_cast<int>(rotation_group(v.cols()));
}

}  // namespace

void CudaKernels::quantize_rotated(const View& in, const View& out, const View& scale) {
  const auto threads =
      static_cast<int>(std::min<std::int64_t>(kThreads, ceil_div(in.cols(), kSpan) * kWarp));
  dispatch_narrow(in.dtype, [&]<typename S>() {
    launch<quantize_rotated_kernel<S>>(
        stream(), {dim3(static_cast<unsigned>(in.rows())), threads, 0}, rows_of<const S>(in),
        in.cols(), group_of(in), scale.as<float>(), out.as<std::uint8_t>());
  });
}

void CudaKernels::dequantize_rotated(const View& in, const View& scale, const View& out) {
  dispatch_float(out.dtype, [&]<typename S>() {
    launch<dequantize_rotated_kernel<S>>(stream(), grid_for_chunks(in), in.as<int8_code>(),
                                         scale.as<float>(), scale.count() != 1, in.rows(),
                                         in.cols(), group_of(in), rows_of<S>(out));
  });
}

void CudaKernels::rotate(const View& in, const View& addend, const View& out) {
  check_rotate(in, addend, out);
  if (in.count() == 0) {
    return;
  }
  dispatch_narrow(in.dtype, [&]<typename S>() {
    launch<rotate_kernel<S, S>>(stream(), grid_for_chunks(in), rows_of<const S>(in),
                                rows_of<const S>(addend), in.rows(), in.cols(), group_of(in),
                                rows_of<S>(out));
  });
}

/// In scratch memory.
View CudaKernels::rotated_fp32(const View& in) {
  const View out(context_->scratch<float>(Scratch::operand_a, in.count()), DType::f32,
                 {in.rows(), in.cols()});
  if (in.count() > 0) {
    dispatch_float(in.dtype, [&]<typename S>() {
      launch<rotate_kernel<S, float>>(stream(), grid_for_chunks(in), rows_of<const S>(in),
                                      Rows<const float>{}, in.rows(), in.cols(), group_of(in),
                                      rows_of<float>(out));
    });
  }
  return out;
}

}  // namespace mantissa::cuda
