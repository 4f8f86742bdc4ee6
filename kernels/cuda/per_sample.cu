#include <algorithm>
#include <cmath>

#include "kernels/cuda/backend.h"
#include "kernels/cuda/elements.cuh"
#include "kernels/op_checks.h"

// One vector [channels] per sample applied to all rows of the sample: sums, shifts, scales and
// gates.

namespace mantissa::cuda {

namespace {

/// The vector of each sample; stride 0 if shared by all, no data if absent.
template <typename S>
Rows<const S> sample_vectors(const View& t) {
  return {t.as<const S>(), t && t.rows() > 1 ? t.row_stride : 0};
}

/// out[r, c] = f(a[r, c], b[r, c], p[sample, c], q[sample, c]); absent operands are 0.
template <int kWidth, typename S, typename F>
__global__ void __launch_bounds__(kThreads)
    per_sample_kernel(Extent extent, std::int64_t rows_per_sample, F f, Rows<S> out,
                      Rows<const S> a, Rows<const S> b, Rows<const S> p, Rows<const S> q) {
  using T = accumulator_t<S>;
  const auto pack_at = [&](const Rows<const S>& rows, std::int64_t row, std::int64_t col) {
    return rows.data != nullptr ? load_pack<kWidth>(rows.data + row * rows.stride + col)
                                : Pack<S, kWidth>{};
  };
  for (PackWalk<> at(extent.cols / kWidth); at.row < extent.rows; at.next()) {
    const std::int64_t row = at.row, col = at.pack * kWidth;
    const std::int64_t sample = row / rows_per_sample;
    const auto x = pack_at(a, row, col), y = pack_at(b, row, col);
    const auto s = pack_at(p, sample, col), t = pack_at(q, sample, col);
    Pack<S, kWidth> result;
#pragma unroll
    for (int k = 0; k < kWidth; ++k) {
      const T value = f(load(&x.value[k]), load(&y.value[k]), load(&s.value[k]), load(&t.value[k]));
      result.value[k] = rounded<S>(value);
    }
    store_pack<kWidth>(out.data + row * out.stride + col, result);
  }
}

template <typename S, typename F>
void map_samples(cudaStream_t stream, const View& shape, const F& f, Rows<S> out, Rows<const S> a,
                 Rows<const S> b, Rows<const S> p, Rows<const S> q) {
  const Extent extent{shape.rows(), shape.cols()};
  if (shape.count() == 0) {
    return;
  }
  const std::int64_t rows_per_sample = extent.rows / shape.shape[0];
  const auto with = [&]<int kWidth>() {
    launch<per_sample_kernel<kWidth, S, F>>(
        stream, grid_for(extent.rows * extent.cols / kWidth, kThreads, kMaxBlocks), extent,
        rows_per_sample, f, out, a, b, p, q);
  };
  constexpr int kWide = kPack<S>;
  if (extent.cols % kWide == 0 && takes_packs(out, kWide) && takes_packs(a, kWide) &&
      takes_packs(b, kWide) && takes_packs(p, kWide) && takes_packs(q, kWide)) {
    with.template operator()<kWide>();
  } else {
    with.template operator()<1>();
  }
}

struct AddVector {
  template <typename T>
  __device__ T operator()(T x, T, T t, T) const {
    return x + t;
  }
};
struct Modulate {
  bool shifts;
  template <typename T>
  __device__ T operator()(T x, T, T scale, T shift) const {
    return shifts ? std::fma(x, T(1) + scale, shift) : x * (T(1) + scale);
  }
};
struct GatedAdd {
  bool adds;
  template <typename T>
  __device__ T operator()(T x, T y, T gate, T) const {
    return adds ? std::fma(y, gate, x) : y * gate;
  }
};

// -- sums over the rows of a sample --------------------------------------------------------------

/// A block processes 32 columns; its warps alternate over the rows of a piece.

struct Itself {
  template <typename T>
  __device__ T operator()(T sum, T x, T) const {
    return sum + x;
  }
};
struct Product {
  template <typename T>
  __device__ T operator()(T sum, T x, T y) const {
    return std::fma(x, y, sum);
  }
};

/// How the rows of a sample are split, by shape alone.
struct Pieces {
  std::int64_t rows = 0;  ///< of a sample
  std::int64_t grain = 0, count = 0;
};
Pieces pieces_of(std::int64_t rows) {
  Pieces p;
  p.rows = rows;
  p.grain = std::max<std::int64_t>(16 * kWarps, ceil_div(rows, 64));
  p.count = std::max<std::int64_t>(1, ceil_div(rows, p.grain));
  return p;
}

/// partial[sample, piece, c] = the piece's sum. Blocks: column tiles x (samples·pieces).
template <typename S, typename F>
__global__ void __launch_bounds__(kThreads)
    sum_pieces_kernel(std::int64_t cols, std::int64_t samples, Pieces pieces, F f, Rows<const S> x,
                      Rows<const S> y, accumulator_t<S>* partial) {
  using T = accumulator_t<S>;
  __shared__ T sums[kWarps][kWarp];
  const int lane = static_cast<int>(threadIdx.x) % kWarp;
  const int warp = static_cast<int>(threadIdx.x) / kWarp;
  const std::int64_t col = static_cast<std::int64_t>(blockIdx.x) * kWarp + lane;
  for (std::int64_t chunk = blockIdx.y; chunk < samples * pieces.count; chunk += gridDim.y) {
    const std::int64_t first = chunk / pieces.count * pieces.rows;
    const std::int64_t begin = chunk % pieces.count * pieces.grain;
    const std::int64_t end = std::min(pieces.rows, begin + pieces.grain);
    T sum = 0;
    for (std::int64_t r = first + begin + warp; col < cols && r < first + end; r += kWarps) {
      const T b = y.data != nullptr ? load(y.data + r * y.stride + col) : T(0);
      sum = f(sum, load(x.data + r * x.stride + col), b);
    }
    __syncthreads();  // the previous chunk has been read
    sums[warp][lane] = sum;
    __syncthreads();
    if (warp == 0 && col < cols) {
      for (int w = 1; w < kWarps; ++w) {
        sum += sums[w][lane];
      }
      partial[chunk * cols + col] = sum;
    }
  }
}

template <typename T, typename Out>
__global__ void __launch_bounds__(kThreads)
    add_pieces_kernel(std::int64_t cols, std::int64_t samples, std::int64_t pieces,
                      const T* partial, Rows<Out> out, bool accumulate) {
  for (std::int64_t i = global_thread(); i < samples * cols; i += global_threads()) {
    const std::int64_t sample = i / cols, col = i - sample * cols;
    T sum = 0;
    for (std::int64_t p = 0; p < pieces; ++p) {
      sum += partial[(sample * pieces + p) * cols + col];
    }
    Out* to = out.data + sample * out.stride + col;
    store(to, accumulate ? load(to) + sum : sum);
  }
}

/// out[b] (+)= Σ f over the rows of sample b.
template <typename S, typename F>
void sum_samples(Context& context, const F& f, const View& x, const View& y, const View& out,
                 bool accumulate) {
  using T = accumulator_t<S>;
  const std::int64_t samples = out.rows(), cols = out.cols();
  if (out.count() == 0) {
    return;
  }
  const Pieces pieces = pieces_of(x.rows() / samples);
  T* partial = context.scratch<T>(Scratch::partial, samples * pieces.count * cols);
  Grid grid;
  grid.threads = kThreads;
  grid.blocks = dim3(static_cast<unsigned>(ceil_div(cols, kWarp)),
                     static_cast<unsigned>(std::min<std::int64_t>(samples * pieces.count, 65535)));
  launch<sum_pieces_kernel<S, F>>(context.stream(), grid, cols, samples, pieces, f,
                                  rows_of<const S>(x), rows_of<const S>(y), partial);
  dispatch_float(out.dtype, [&]<typename Out>() {
    if constexpr (std::is_same_v<accumulator_t<Out>, T>) {
      launch<add_pieces_kernel<T, Out>>(
          context.stream(), grid_for(samples * cols, kThreads, kMaxBlocks), cols, samples,
          pieces.count, partial, rows_of<Out>(out), accumulate);
    }
  });
}

}  // namespace

void CudaKernels::add_per_sample(const View& x, const View& t, const View& out) {
  check_float(x, "add_per_sample", "x");
  check_sample_vector(t, x, "add_per_sample", "t");
  check_like(out, x, "add_per_sample", "out");
  dispatch_float(x.dtype, [&]<typename S>() {
    map_samples<S>(stream(), x, AddVector{}, rows_of<S>(out), rows_of<const S>(x), {},
                   sample_vectors<S>(t), {});
  });
}

void CudaKernels::modulate(const View& x, const View& scale, const View& shift, const View& out) {
  check_modulate(x, scale, shift, out);
  dispatch_float(x.dtype, [&]<typename S>() {
    map_samples<S>(stream(), x, Modulate{static_cast<bool>(shift)}, rows_of<S>(out),
                   rows_of<const S>(x), {}, sample_vectors<S>(scale), sample_vectors<S>(shift));
  });
}

void CudaKernels::gated_add(const View& x, const View& y, const View& gate, const View& out) {
  check_gated_add(x, y, gate, out);
  dispatch_float(y.dtype, [&]<typename S>() {
    map_samples<S>(stream(), y, GatedAdd{static_cast<bool>(x)}, rows_of<S>(out),
                   rows_of<const S>(x), rows_of<const S>(y), sample_vectors<S>(gate), {});
  });
}

void CudaKernels::sum_per_sample(const View& x, const View& out, bool accumulate) {
  check_float(x, "sum_per_sample", "x");
  check_sample_sum(out, x, "sum_per_sample");
  dispatch_float(x.dtype, [&]<typename S>() {
    sum_samples<S>(*context_, Itself{}, x, View(), out, accumulate);
  });
}

void CudaKernels::dot_per_sample(const View& x, const View& y, const View& out) {
  check_float(x, "dot_per_sample", "x");
  check_like(y, x, "dot_per_sample", "y");
  check_sample_sum(out, x, "dot_per_sample");
  dispatch_float(x.dtype,
                 [&]<typename S>() { sum_samples<S>(*context_, Product{}, x, y, out, false); });
}

}  // namespace mantissa::cuda
