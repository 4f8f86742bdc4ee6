#pragma once
// What the DoRA norms of one layer and of many have in common.

#include "kernels/cuda/context.h"
#include "kernels/cuda/device.cuh"

namespace mantissa::cuda {

/// A factor of the adapter in device memory, any float dtype.
struct Matrix {
  const void* data;
  DType dtype;
  std::int64_t rows, cols;

  template <typename T>
  __device__ T get(std::int64_t i) const {
    switch (dtype) {
      case DType::f64:
        return static_cast<T>(static_cast<const double*>(data)[i]);
      case DType::f16:
        return static_cast<T>(load(static_cast<const float16*>(data) + i));
      case DType::bf16:
        return static_cast<T>(load(static_cast<const bfloat16*>(data) + i));
      default:
        return static_cast<T>(static_cast<const float*>(data)[i]);
    }
  }
};

inline Matrix matrix_of(const View& v, std::int64_t rows) {
  return {v.data, v.dtype, rows, v.count() / rows};
}

/// Rows and columns of a Gram matrix that a block computes.
inline constexpr int kGramTile = 4;

/// A tile of gram[i][j] = Σ factor_i·factor_j over the longer axis, [rank, rank]. The
/// factor is [rank, n], or [n, rank] if `tall`. All threads must take part.
template <typename T>
__device__ inline void gram_tile(const Matrix& factor, bool tall, std::int64_t tile, T* gram) {
  __shared__ T parts[kWarps][kGramTile][kGramTile];
  const std::int64_t rank = tall ? factor.cols : factor.rows;
  const std::int64_t n = tall ? factor.rows : factor.cols;
  const std::int64_t at = tall ? 1 : n, step = tall ? rank : 1;
  const std::int64_t tiles = ceil_div(rank, kGramTile);
  const std::int64_t row = tile / tiles * kGramTile, col = tile % tiles * kGramTile;
  T sums[kGramTile][kGramTile] = {};
  for (std::int64_t x = threadIdx.x; x < n; x += blockDim.x) {
    T a[kGramTile], b[kGramTile];
#pragma unroll
    for (int i = 0; i < kGramTile; ++i) {
      a[i] = row + i < rank ? factor.get<T>((row + i) * at + x * step) : T(0);
      b[i] = col + i < rank ? factor.get<T>((col + i) * at + x * step) : T(0);
    }
#pragma unroll
    for (int i = 0; i < kGramTile; ++i) {
#pragma unroll
      for (int j = 0; j < kGramTile; ++j) {
        sums[i][j] += a[i] * b[j];
      }
    }
  }
  const int thread = static_cast<int>(threadIdx.x);
#pragma unroll
  for (int i = 0; i < kGramTile; ++i) {
#pragma unroll
    for (int j = 0; j < kGramTile; ++j) {
      const T sum = warp_reduce(sums[i][j], [](T a, T b) { return a + b; });
      if (thread % kWarp == 0) {
        parts[thread / kWarp][i][j] = sum;
      }
    }
  }
  __syncthreads();
  const int i = thread / kGramTile, j = thread % kGramTile;
  if (i < kGramTile && row + i < rank && col + j < rank) {
    T sum = parts[0][i][j];
    for (int warp = 1; warp < kWarps; ++warp) {
      sum += parts[warp][i][j];
    }
    gram[(row + i) * rank + col + j] = sum;
  }
}

template <typename T>
__device__ inline T norm_of(T squares, T scale, T sum) {
  // Rounding can leave a vanishing norm's square just below zero; NaN must propagate.
  const T square = squares + scale * sum;
  return std::sqrt(square < T(0) ? T(0) : square);
}

/// The quotient, or `otherwise` where the norm vanishes.
template <typename T>
__device__ inline T divided(T numerator, T norm, T squares, T least, T otherwise) {
  // Written so that a NaN norm divides: it must show.
  const bool vanishes = norm < least || squares < least * least;
  return vanishes ? otherwise : numerator / norm;
}

}  // namespace mantissa::cuda
