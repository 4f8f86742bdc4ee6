#pragma once
// Two sums of every column over the rows of tall matrices, in an order that depends on the shape
// alone.

#include "kernels/cuda/context.h"
#include "kernels/cuda/device.cuh"

namespace mantissa::cuda {

/// How blocks cover samples of [rows, cols]: block (sample·pieces + piece, tile) is `across`
/// threads wide, N columns each, and `down` threads high.
struct Tiling {
  std::int64_t rows = 0, cols = 0;
  std::int64_t piece_rows = 0, pieces = 0;
  int across = 0, down = 0, tiles = 0;

  Grid grid(std::int64_t samples) const {
    return {dim3(static_cast<unsigned>(samples * pieces), static_cast<unsigned>(tiles)), kThreads,
            0};
  }
};

/// The tiling of `samples` matrices for threads of `lanes` columns each.
inline Tiling tile_rows(std::int64_t samples, std::int64_t rows, std::int64_t cols, int lanes) {
  // Enough blocks to fill a card; a thread sums at least 4 rows and, in fp32, at most 64.
  constexpr std::int64_t kBlocks = 1024, kLeastRows = 4, kMostRows = 64, kMostAcross = 128;
  Tiling t;
  t.rows = rows;
  t.cols = cols;
  const std::int64_t packs = ceil_div(cols, lanes);
  t.tiles = static_cast<int>(ceil_div(packs, kMostAcross));
  t.across = static_cast<int>(ceil_div(packs, t.tiles));
  t.down = kThreads / t.across;
  const std::int64_t wanted =
      std::clamp(ceil_div(kBlocks, samples * t.tiles), ceil_div(rows, kMostRows * t.down),
                 ceil_div(rows, kLeastRows * t.down));
  t.piece_rows = ceil_div(rows, wanted);
  t.pieces = ceil_div(rows, t.piece_rows);
  return t;
}

/// One thread's part of a Tiling.
struct TilePlace {
  std::int64_t sample, column;
  std::int64_t row;  ///< the first, counted over all samples
  int left;          ///< rows from there to the end of the piece
  int x, y;
  bool inside;

  __device__ TilePlace(const Tiling& t, int lanes) {
    x = static_cast<int>(threadIdx.x) % t.across;
    y = static_cast<int>(threadIdx.x) / t.across;
    const auto pieces = static_cast<unsigned>(t.pieces);  // grid blocks, so it fits
    sample = blockIdx.x / pieces;
    column = (static_cast<std::int64_t>(blockIdx.y) * t.across + x) * lanes;
    const std::int64_t begin = blockIdx.x % pieces * t.piece_rows;
    const std::int64_t past = begin + t.piece_rows < t.rows ? begin + t.piece_rows : t.rows;
    row = sample * t.rows + begin + y;
    left = static_cast<int>(past - begin) - y;
    inside = y < t.down && column < t.cols;
  }
};

/// sums[sample, piece, 0 and 1, column] accumulated by terms.add(columns, row, column, first,
/// second) for N columns; `columns` is the result of terms.enter(sample, column). The second sum is
/// multiplied by terms.factor(sample, column), if defined.
template <typename T, int N, typename Terms>
__global__ void __launch_bounds__(kThreads, 4) column_sums_kernel(Terms terms, Tiling t, T* sums) {
  T* shared = dynamic_shared<T>();  // [2·N, down, across]
  const TilePlace at(t, N);
  if (at.inside) {
    T first[N] = {}, second[N] = {};
    const auto columns = terms.enter(at.sample, at.column);
    std::int64_t row = at.row;
#pragma unroll 1  // several rows at once would spill
    for (int left = at.left; left > 0; left -= t.down, row += t.down) {
      terms.add(columns, row, at.column, first, second);
    }
#pragma unroll
    for (int i = 0; i < N; ++i) {
      shared[(i * t.down + at.y) * t.across + at.x] = first[i];
      shared[((N + i) * t.down + at.y) * t.across + at.x] = second[i];
    }
  }
  __syncthreads();
  const int width = t.across * N;
  const std::int64_t from = static_cast<std::int64_t>(blockIdx.y) * width;
  for (int item = static_cast<int>(threadIdx.x); item < 2 * width; item += kThreads) {
    const int which = item / width, c = item % width;
    if (from + c < t.cols) {
      const T* terms_of = shared + (which * N + c % N) * t.down * t.across + c / N;
      T sum = T(0);
      for (int y = 0; y < t.down; ++y) {
        sum += terms_of[y * t.across];
      }
      if constexpr (requires { terms.factor(std::int64_t{0}, std::int64_t{0}); }) {
        const std::int64_t sample = blockIdx.x / static_cast<unsigned>(t.pieces);
        sum *= which == 1 ? terms.factor(sample, from + c) : T(1);
      }
      sums[(static_cast<std::int64_t>(blockIdx.x) * 2 + which) * t.cols + from + c] = sum;
    }
  }
}

template <int N, typename T, typename Terms>
void column_sums(cudaStream_t stream, const Terms& terms, const Tiling& t, std::int64_t samples,
                 T* sums) {
  Grid grid = t.grid(samples);
  grid.shared_bytes = sizeof(T) * 2 * N * static_cast<std::size_t>(t.down * t.across);
  launch<column_sums_kernel<T, N, Terms>>(stream, grid, terms, t, sums);
}

/// out[c] += Σ sums[i, which, c] over i < count, sums [count, 2, cols].
template <typename T>
__global__ void add_columns_kernel(const T* sums, std::int64_t count, std::int64_t cols, int which,
                                   T* out) {
  constexpr int kDown = kThreads / kWarp;
  __shared__ double parts[kDown][kWarp];
  const int x = static_cast<int>(threadIdx.x) % kWarp, y = static_cast<int>(threadIdx.x) / kWarp;
  const std::int64_t c = static_cast<std::int64_t>(blockIdx.x) * kWarp + x;
  double sum = 0;
  for (std::int64_t i = y; i < count && c < cols; i += kDown) {
    sum += static_cast<double>(sums[(i * 2 + which) * cols + c]);
  }
  parts[y][x] = sum;
  __syncthreads();
  if (y == 0 && c < cols) {
    for (int i = 1; i < kDown; ++i) {
      sum += parts[i][x];
    }
    out[c] += static_cast<T>(sum);
  }
}

template <typename T>
void add_columns(cudaStream_t stream, const T* sums, std::int64_t count, std::int64_t cols,
                 int which, T* out) {
  launch<add_columns_kernel<T>>(stream,
                                {dim3(static_cast<unsigned>(ceil_div(cols, kWarp))), kThreads, 0},
                                sums, count, cols, which, out);
}

}  // namespace mantissa::cuda
