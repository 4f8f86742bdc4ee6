#pragma once
// Loops over the elements of views.
//
// A kernel moves 16 bytes at a time if all addresses and strides allow it, and single elements at
// row ends and otherwise.

#include <cstdint>
#include <cstring>
#include <initializer_list>

#include "kernels/cuda/device.cuh"
#include "kernels/view.h"

namespace mantissa::cuda {

/// Whether every row can be read in packs of `width` elements of T.
template <typename T>
bool takes_packs(const Rows<T>& rows, int width) {
  return reinterpret_cast<std::uintptr_t>(rows.data) % (sizeof(T) * width) == 0 &&
         rows.stride % width == 0;
}

/// Rows and columns for the loops: contiguous views are one long row.
struct Extent {
  std::int64_t rows = 0, cols = 0;
};
inline Extent extent_of(const View& shape, std::initializer_list<const View*> views) {
  bool flat = true;
  for (const View* v : views) {
    flat = flat && v->contiguous();
  }
  return flat ? Extent{1, shape.count()} : Extent{shape.rows(), shape.cols()};
}

/// A thread's place in a grid-stride loop over rows of `packs`: two 32-bit divisions for the whole
/// loop. With a 32-bit Index, rows and packs must stay below kNarrowWalk.
inline constexpr std::int64_t kNarrowWalk = std::int64_t{1} << 31;
template <typename Index = std::int64_t>
class PackWalk {
 public:
  Index row, pack;

  __device__ explicit PackWalk(Index packs) : packs_(packs) {
    // If there are more packs than threads, any larger number will do: a thread begins in row 0.
    constexpr Index kMost = 0x7fffffff;
    const auto width = static_cast<std::uint32_t>(packs < kMost ? packs : kMost);
    const std::uint32_t thread = blockIdx.x * blockDim.x + threadIdx.x;
    const std::uint32_t threads = gridDim.x * blockDim.x;
    const std::uint32_t first_row = thread / width, step_rows = threads / width;
    row = first_row;
    pack = thread - first_row * width;
    step_rows_ = step_rows;
    step_packs_ = threads - step_rows * width;
  }
  __device__ void next() {
    row += step_rows_;
    pack += step_packs_;
    if (pack >= packs_) {
      pack -= packs_;
      ++row;
    }
  }

 private:
  Index packs_;
  std::uint32_t step_rows_, step_packs_;
};

/// f, or f.at(row), evaluated once per row.
template <typename F>
__device__ inline auto at_row(const F& f, std::int64_t row) {
  if constexpr (requires { f.at(row); }) {
    return f.at(row);
  } else {
    return f;
  }
}

template <int kWidth, typename F, typename Out, typename... In>
__device__ inline void map_pack(const F& f, Out* out, const Pack<In, kWidth>&... in) {
  Pack<Out, kWidth> result;
#pragma unroll
  for (int i = 0; i < kWidth; ++i) {
    result.value[i] = rounded<Out>(f(load(&in.value[i])...));
  }
  store_pack<kWidth>(out, result);
}

template <int kWidth, typename F, typename Out, typename... In>
__global__ void __launch_bounds__(kThreads)
    map_rows_kernel(Extent extent, F f, Rows<Out> out, Rows<const In>... in) {
  for (PackWalk<> at((extent.cols + kWidth - 1) / kWidth); at.row < extent.rows; at.next()) {
    const std::int64_t row = at.row, col = at.pack * kWidth;
    const auto g = at_row(f, row);
    if (kWidth > 1 && col + kWidth <= extent.cols) {
      map_pack<kWidth>(g, out.data + row * out.stride + col,
                       load_pack<kWidth>(in.data + row * in.stride + col)...);
      continue;
    }
    for (std::int64_t c = col; c < extent.cols && c < col + kWidth; ++c) {
      store(out.data + row * out.stride + c, g(load(in.data + row * in.stride + c)...));
    }
  }
}

/// out[r, c] = f(in[r, c]...), rounded once. In place ok. f is called with accumulators; if it has
/// a member at(row), its result is called instead.
template <typename F, typename Out, typename... In>
void map_rows(cudaStream_t stream, Extent extent, const F& f, Rows<Out> out, Rows<const In>... in) {
  if (extent.rows * extent.cols == 0) {
    return;
  }
  if (extent.rows == 1) {  // a single row's stride doesn't matter
    out.stride = 0;
    ((in.stride = 0), ...);
  }
  constexpr std::size_t kLargest = std::max({sizeof(Out), sizeof(In)...});
  constexpr int kWidth = static_cast<int>(16 / kLargest);
  if (takes_packs(out, kWidth) && (takes_packs(in, kWidth) && ...)) {
    launch<map_rows_kernel<kWidth, F, Out, In...>>(
        stream, grid_for(extent.rows * ceil_div(extent.cols, kWidth), kThreads, kMaxBlocks), extent,
        f, out, in...);
  } else {
    launch<map_rows_kernel<1, F, Out, In...>>(
        stream, grid_for(extent.rows * extent.cols, kThreads, kMaxBlocks), extent, f, out, in...);
  }
}

// -- whole rows
// ------------------------------------------------------------------------------------

/// Special rows that a Source may return.
inline constexpr std::int64_t kZeroRow = -1;
inline constexpr std::int64_t kNanRow =
    -2;  ///< for indices out of bounds, possible only in a replay

template <typename Unit, typename Source>
__global__ void __launch_bounds__(kThreads)
    copy_rows_kernel(Extent extent, Source source, Rows<Unit> out, Rows<const Unit> in) {
  for (PackWalk<> at(extent.cols); at.row < extent.rows; at.next()) {
    const std::int64_t row = at.row, col = at.pack;
    const std::int64_t from = source(row);
    Unit unit;
    if (from >= 0) {
      unit = in.data[from * in.stride + col];
    } else {
      // All bits set is a NaN in every float type.
      memset(&unit, from == kZeroRow ? 0 : 0xff, sizeof(Unit));
    }
    out.data[row * out.stride + col] = unit;
  }
}

/// Row r of `out` becomes row source(r) of `in`; any dtype, bit for bit.
template <typename Source>
void copy_rows(cudaStream_t stream, const View& in, const View& out, Source source) {
  const auto size = static_cast<std::int64_t>(dtype_size(out.dtype));
  const std::int64_t rows = out.rows(), bytes = out.cols() * size;
  if (rows * bytes == 0) {
    return;
  }
  const std::int64_t in_stride = in.row_stride * size, out_stride = out.row_stride * size;
  const auto with = [&]<typename Unit>() {
    constexpr std::int64_t kUnit = sizeof(Unit);
    if (reinterpret_cast<std::uintptr_t>(in.data) % kUnit != 0 ||
        reinterpret_cast<std::uintptr_t>(out.data) % kUnit != 0 || in_stride % kUnit != 0 ||
        out_stride % kUnit != 0 || bytes % kUnit != 0) {
      return false;
    }
    const Extent extent{rows, bytes / kUnit};
    launch<copy_rows_kernel<Unit, Source>>(
        stream, grid_for(extent.rows * extent.cols, kThreads, kMaxBlocks), extent, source,
        Rows<Unit>{static_cast<Unit*>(out.data), out_stride / kUnit},
        Rows<const Unit>{static_cast<const Unit*>(in.data), in_stride / kUnit});
    return true;
  };
  using Wide = Pack<std::uint64_t, 2>;
  with.template operator()<Wide>() || with.template operator()<std::uint64_t>() ||
      with.template operator()<std::uint32_t>() || with.template operator()<std::uint16_t>() ||
      with.template operator()<std::uint8_t>();
}

struct SameRow {
  __device__ std::int64_t operator()(std::int64_t row) const { return row; }
};

}  // namespace mantissa::cuda
