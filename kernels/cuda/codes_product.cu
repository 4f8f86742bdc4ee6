#include <cstdint>
#include <type_traits>

#include "kernels/cuda/async_copy.cuh"
#include "kernels/cuda/codes_product.h"
#include "kernels/cuda/device.cuh"
#include "kernels/cuda/finish_product.cuh"
#include "kernels/cuda/tensor_core.cuh"

namespace mantissa::cuda {
namespace {

/// A block's tile of the result, and how many codes of its rows and columns a step multiplies.
constexpr int kTileRows = 128, kTileCols = 128, kStep = 64;
/// Steps whose codes are in shared memory or on their way: two blocks fit on every multiprocessor.
constexpr int kStages = 3;
/// A warp's part of the tile.
constexpr int kPartRows = 64, kPartCols = 32;
constexpr int kRowTiles = kPartRows / 16, kColTiles = kPartCols / 8;
static_assert(kWarps * kPartRows * kPartCols == kTileRows * kTileCols);
/// Codes of one copy, and copies of a row's step.
constexpr int kCopyCodes = 16, kRowCopies = kStep / kCopyCodes;
/// Tiles of rows that one tile of columns is multiplied by before the next: their codes stay in L2.
constexpr int kRowGroup = 8;

struct Stage {
  std::uint8_t a[kTileRows * kStep], b[kTileCols * kStep];
};

/// Where a chunk of a row begins. The eight rows that load_matrices reads at once lie in different
/// banks: neighbours of a, of b those of permuted_col.
__device__ inline int place_of_a(int row, int chunk) {
  return row * kStep + kCopyCodes * (chunk ^ (row / 2 % kRowCopies));
}
__device__ inline int place_of_b(int row, int chunk) {
  return row * kStep + kCopyCodes * (chunk ^ (row / 8 % kRowCopies));
}

/// The column of a warp's part that is column `c` of its tile `t`: the order in which a lane, which
/// has columns 2q and 2q + 1 of every tile, holds eight neighbours.
__device__ inline int permuted_col(int t, int c) {
  return 8 * (c / 2) + 2 * t + c % 2;
}

/// The tile of a block: down kRowGroup tiles of rows, then the next column.
struct Tile {
  int row, col;
  __device__ Tile(int m, int n) {
    const int rows = (m + kTileRows - 1) / kTileRows, cols = (n + kTileCols - 1) / kTileCols;
    const int block = static_cast<int>(blockIdx.x), in_group = kRowGroup * cols;
    const int first = block / in_group * kRowGroup, at = block % in_group;
    const int group = rows - first < kRowGroup ? rows - first : kRowGroup;
    row = (first + at % group) * kTileRows;
    col = at / group * kTileCols;
  }
};

/// A thread's share of copying the codes of step after step: the same chunk of kCopies rows.
class Copier {
 public:
  __device__ Copier(const std::uint8_t* a, const std::uint8_t* b, const Tile& tile, int m, int n,
                    int k)
      : a_(a + std::int64_t{tile.row + first_row()} * k + kCopyCodes * chunk()),
        b_(b + std::int64_t{tile.col + first_row()} * k + kCopyCodes * chunk()),
        rows_apart_(std::int64_t{kRowsAtOnce} * k),
        left_(k - kCopyCodes * chunk()),
        rows_(m - tile.row - first_row()),
        cols_(n - tile.col - first_row()) {}
  /// Nothing beyond the matrices is read.
  __device__ void copy_next(Stage& to) {
#pragma unroll
    for (int i = 0; i < kCopies; ++i) {
      const int row = first_row() + i * kRowsAtOnce;
      copy_async(to.a + place_of_a(row, chunk()), a_ + i * rows_apart_,
                 left_ > 0 && i * kRowsAtOnce < rows_);
      copy_async(to.b + place_of_b(row, chunk()), b_ + i * rows_apart_,
                 left_ > 0 && i * kRowsAtOnce < cols_);
    }
    a_ += kStep;
    b_ += kStep;
    left_ -= kStep;
  }

 private:
  static constexpr int kRowsAtOnce = kThreads / kRowCopies, kCopies = kTileRows / kRowsAtOnce;
  static_assert(kTileRows == kTileCols);
  __device__ static int chunk() {
    return static_cast<int>(threadIdx.x) % kRowCopies;
  }
  __device__ static int first_row() {
    return static_cast<int>(threadIdx.x) / kRowCopies;
  }
  const std::uint8_t *a_, *b_;
  std::int64_t rows_apart_;
  int left_, rows_, cols_;  ///< of the depth, and from the thread's first row on
};

template <typename A>
using WarpSums = CodeSum<A>[kRowTiles][kColTiles][4];

/// sums += the warp's part of a step, in halves of 32 codes.
template <typename A, typename B>
__device__ inline void multiply_stage(WarpSums<A>& sums, const Stage& stage, int first_row,
                                      int first_col) {
  constexpr int kAtOnce = std::is_same_v<A, std::int8_t> ? 2 : 1;  // FP8's parts would spill
  const int lane = static_cast<int>(threadIdx.x) % kWarp;
#pragma unroll(kAtOnce)
  for (int half = 0; half < 2; ++half) {
    Quad8 b[kColTiles / 2][4];  // of two tiles each
#pragma unroll
    for (int pair = 0; pair < kColTiles / 2; ++pair) {
      const int col = first_col + permuted_col(2 * pair + lane / 16, lane % 8);
      load_matrices(b[pair], stage.b + place_of_b(col, 2 * half + lane / 8 % 2));
    }
#pragma unroll
    for (int r = 0; r < kRowTiles; ++r) {
      Quad8 a[4];
      load_matrices(a, stage.a + place_of_a(first_row + 16 * r + lane % 16, 2 * half + lane / 16));
#pragma unroll
      for (int t = 0; t < kColTiles; ++t) {
        const Quad8 low = b[t / 2][t % 2 * 2], high = b[t / 2][t % 2 * 2 + 1];
        if constexpr (std::is_same_v<A, std::int8_t>) {
          multiply_codes_tile<A, B>(sums[r][t], a, low, high);
        } else {  // see multiply_codes_tile: no more than 32 products are added up in the units
          CodeSum<A> part[4] = {};
          multiply_codes_tile<A, B>(part, a, low, high);
#pragma unroll
          for (int i = 0; i < 4; ++i) {
            sums[r][t][i] += part[i];
          }
        }
      }
    }
  }
}

/// Stores the warp's part: a lane eight neighbours of each of its rows.
template <typename Rule, typename Sums, typename T>
__device__ inline void finish_sums(const Finish<T>& f, const Sums& sums, int first_row,
                                   int first_col, int m, int n) {
  using Sum = std::remove_cvref_t<decltype(sums[0][0][0])>;
  const int lane = static_cast<int>(threadIdx.x) % kWarp;
  const int col = first_col + 8 * (lane % 4);
#pragma unroll
  for (int r = 0; r < kRowTiles; ++r) {
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      const int row = first_row + 16 * r + 8 * half + lane / 4;
      Sum of_row[2 * kColTiles];
#pragma unroll
      for (int i = 0; i < 2 * kColTiles; ++i) {
        of_row[i] = sums[r][i / 2][2 * half + i % 2];
      }
      if (row < m && col < n) {
        finish_lanes<Rule>(f, row, col, of_row);
      }
    }
  }
}

/// out [m, n] from a [m, k] and b [n, k], in whole packs of out: see in_lanes.
template <typename A, typename B, typename T>
__global__ void __launch_bounds__(kThreads, 2)
    codes_product_kernel(const std::uint8_t* a, const std::uint8_t* b, Finish<T> finish, int m,
                         int n, int k) {
  auto* stages = dynamic_shared<Stage>();
  const Tile tile(m, n);
  Copier copier(a, b, tile, m, n, k);
  const int warp = static_cast<int>(threadIdx.x) / kWarp;
  const int first_row = warp % (kTileRows / kPartRows) * kPartRows;
  const int first_col = warp / (kTileRows / kPartRows) * kPartCols;
  const int steps = (k + kStep - 1) / kStep;
  WarpSums<A> sums = {};
  for (int step = 0; step < kStages - 1; ++step) {
    copier.copy_next(stages[step]);
    close_copies();
  }
  int stage = 0, free = kStages - 1;
  for (int step = 0; step < steps; ++step) {
    await_copies<kStages - 2>();
    __syncthreads();  // all have the step's codes, and none reads those of the step before
    copier.copy_next(stages[free]);
    close_copies();
    multiply_stage<A, B>(sums, stages[stage], first_row, first_col);
    stage = stage + 1 < kStages ? stage + 1 : 0;
    free = free + 1 < kStages ? free + 1 : 0;
  }
  await_copies<0>();
  using Rule = std::conditional_t<std::is_same_v<A, std::int8_t>, ScaleByScale, OneScale>;
  finish_sums<Rule>(finish, sums, tile.row + first_row, tile.col + first_col, m, n);
}

template <typename A, typename B, typename T>
void launch_product(Context& context, const CodesProduct& p) {
  const std::int64_t m = p.a.rows(), n = p.b.rows();
  const auto blocks = static_cast<unsigned>(ceil_div(m, kTileRows) * ceil_div(n, kTileCols));
  launch<codes_product_kernel<A, B, T>>(
      context.stream(), Grid{dim3(blocks), kThreads, kStages * sizeof(Stage)},
      p.a.as<std::uint8_t>(), p.b.as<std::uint8_t>(), finish_of<T>(p), static_cast<int>(m),
      static_cast<int>(n), static_cast<int>(p.a.cols()));
}

}  // namespace

bool has_codes_product(const Context& context, const CodesProduct& p) {
  const auto whole = [](const View& codes) {
    return codes.cols() % kCopyCodes == 0 &&
           reinterpret_cast<std::uintptr_t>(codes.data) % kCopyCodes == 0;
  };
  constexpr std::int64_t kMost = std::int64_t{1} << 30;
  const bool counted = p.a.rows() < kMost && p.b.rows() < kMost && p.a.cols() < kMost;
  const int least =
      is_int8(p.a.dtype) ? kCodesCapability<std::int8_t> : kCodesCapability<float8_e4m3>;
  const bool lanes = p.out.dtype == DType::f16 ? in_lanes(finish_of<float16>(p), p.out.cols())
                                               : in_lanes(finish_of<bfloat16>(p), p.out.cols());
  return context.code_capability() >= least && counted && lanes && whole(p.a) && whole(p.b);
}

void run_codes_product(Context& context, const CodesProduct& p) {
  if (is_int8(p.a.dtype)) {
    if (p.out.dtype == DType::f16) {
      launch_product<std::int8_t, std::int8_t, float16>(context, p);
    } else {
      launch_product<std::int8_t, std::int8_t, bfloat16>(context, p);
    }
  } else if (p.a.dtype == DType::f8_e5m2) {
    launch_product<float8_e5m2, float8_e4m3, bfloat16>(context, p);
  } else if (p.b.dtype == DType::f8_e5m2) {
    launch_product<float8_e4m3, float8_e5m2, bfloat16>(context, p);
  } else {
    launch_product<float8_e4m3, float8_e4m3, bfloat16>(context, p);
  }
}

}  // namespace mantissa::cuda
