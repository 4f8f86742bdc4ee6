// Codes and their scales.
#include <algorithm>

#include "kernels/check_quant.h"
#include "kernels/cuda/backend.h"
#include "kernels/cuda/elements.cuh"
#include "kernels/cuda/encode_rows.cuh"

namespace mantissa::cuda {
namespace {

/// Blocks of the kernels for one scale, about as many as a card holds at once: those that encode
/// read the results of all that searched.
constexpr std::int64_t kScalingBlocks = 512;
/// Packs that a thread loads before it needs the first.
constexpr int kAhead = 4;

/// Rows of S, read N neighbours at a time. `factor`, if given, multiplies columns.
template <typename S, int N>
struct Source {
  using Value = S;
  static constexpr int kWidth = N, kParts = 1, kHeld = 5;
  const S* data;
  std::int64_t rows, cols, stride;
  const float* factor;

  __device__ std::int64_t packs() const { return cols / N; }  ///< of a row
  __device__ Pack<S, N> pack(std::int64_t row, std::int64_t p) const {
    return load_pack<N>(data + row * stride + p * N);
  }
  __device__ RowPacks<S, N, 1> stored(std::int64_t row, std::int64_t p) const {
    return {{pack(row, p)}};
  }
  __device__ int place(int) const { return 0; }
  __device__ Pack<float, N> wide(const Pack<S, N>& pack, int, std::int64_t p) const {
    return scaled_pack(pack, factor == nullptr ? nullptr : factor + p * N);
  }
};

/// The next kAhead packs of a thread, loaded together.
template <typename S, int N>
class Ahead {
 public:
  __device__ Ahead(const Source<S, N>& in, const PackWalk<>& first) : next_(first) {
    PackWalk<> at = first;
#pragma unroll
    for (int i = 0; i < kAhead; ++i, at.next()) {
      if (at.row < in.rows) {
        stored_[i] = in.pack(at.row, at.pack);
      }
    }
  }
  /// f(values in fp32, row, pack) of each that there is; then the place after them.
  template <typename Fn>
  __device__ PackWalk<> each(const Source<S, N>& in, Fn&& f) const {
    PackWalk<> at = next_;
#pragma unroll
    for (int i = 0; i < kAhead; ++i, at.next()) {
      if (at.row < in.rows) {
        f(in.wide(stored_[i], 0, at.pack), at.row, at.pack);
      }
    }
    return at;
  }

 private:
  PackWalk<> next_;
  Pack<S, N> stored_[kAhead];
};

template <typename S, typename F, int N>
__global__ void __launch_bounds__(kThreads, 4) largest_kernel(Source<S, N> in, float* partial) {
  float most = 0.0F;
  for (PackWalk<> at(in.packs()); at.row < in.rows;) {
    at = Ahead<S, N>(in, at).each(in, [&](const Pack<float, N>& values, std::int64_t,
                                          std::int64_t) { most = largest_of<F>(values, most); });
  }
  most = block_largest(most);
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = most;
  }
}

/// With one scale: each block computes it from the partial results, the first one stores it.
template <typename S, typename F, int N>
__global__ void __launch_bounds__(kThreads, 4)
    quantize_kernel(Source<S, N> in, const float* partial, int partials, float* scale,
                    float* delayed, std::uint8_t* out) {
  PackWalk<> at(in.packs());
  Ahead<S, N> ahead(in, at);  // under way while the scale is found
  float most = 0.0F;
  for (int i = static_cast<int>(threadIdx.x); i < partials; i += static_cast<int>(blockDim.x)) {
    most = max_nan(most, partial[i]);
  }
  most = block_largest(most);
  float s = code_scale(most, CodeFormat<F>::kMax);
  if (delayed != nullptr) {
    s = delayed[0] > 0.0F ? delayed[0] : s;
  }
  if (global_thread() == 0) {
    scale[0] = s;
    if (delayed != nullptr) {
      delayed[1] = max_nan(most, delayed[1]);
    }
  }
  const float inverse = 1.0F / s;
  while (at.row < in.rows) {
    at = ahead.each(in, [&](const Pack<float, N>& values, std::int64_t row, std::int64_t pack) {
      store_codes<F, N>(values, inverse, out + row * in.cols + pack * N);
    });
    ahead = Ahead<S, N>(in, at);
  }
}

/// Codes in packed rows -> rows `stride` apart.
template <typename F, typename S, int N>
__global__ void dequantize_kernel(const F* in, const float* scale, bool by_row, std::int64_t rows,
                                  std::int64_t cols, S* out, std::int64_t stride) {
  const std::int64_t packs = cols / N;
  for (std::int64_t i = global_thread(); i < rows * packs; i += global_threads()) {
    const std::int64_t row = rows == 1 ? 0 : i / packs;
    const float s = scale[by_row ? row : 0];
    const Pack<F, N> codes = load_pack<N>(in + i * N);
    Pack<S, N> values;
#pragma unroll
    for (int j = 0; j < N; ++j) {
      const float value = load(&codes.value[j]) * s;
      values.value[j] = rounded<S>(value);
    }
    store_pack<N>(out + row * stride + (i - row * packs) * N, values);
  }
}

/// Whether rows of `v` can be accessed `n` elements at a time.
bool rows_in_packs(const View& v, std::int64_t cols, std::int64_t stride, std::int64_t n) {
  return cols % n == 0 && stride % n == 0 &&
         reinterpret_cast<std::uintptr_t>(v.data) %
                 (static_cast<std::size_t>(n) * dtype_size(v.dtype)) ==
             0;
}

/// Rows, columns and stride of a matrix, one long row if rows need no distinction.
struct Extents {
  std::int64_t rows, cols, stride;
};
Extents extents_of(const View& v, bool flat) {
  return flat ? Extents{1, v.count(), v.count()} : Extents{v.rows(), v.cols(), v.row_stride};
}

}  // namespace

void CudaKernels::quantize_codes(const View& in, const View& column_factor, const View& out,
                                 const View& scale, const View& delayed) {
  const bool by_row = scale.count() != 1;
  const Extents e = extents_of(in, in.contiguous() && !column_factor && !by_row);
  const auto run = [&]<typename S, typename F, int N>() {
    const Source<S, N> source{in.as<S>(), e.rows, e.cols, e.stride, column_factor.as<float>()};
    auto* codes = out.as<std::uint8_t>();
    if (by_row) {
      encode_rows<F>(stream(), source, scale.as<float>(), codes);
      return;
    }
    const Grid grid = grid_for(e.rows * source.packs(), kThreads, kScalingBlocks);
    auto* partial = context_->scratch<float>(Scratch::partial, kScalingBlocks);
    launch<largest_kernel<S, F, N>>(stream(), grid, source, partial);
    launch<quantize_kernel<S, F, N>>(stream(), grid, source, partial,
                                     static_cast<int>(grid.blocks.x), scale.as<float>(),
                                     delayed.as<float>(), codes);
  };
  dispatch_codes(out.dtype, [&]<typename F>() {
    dispatch_narrow(in.dtype, [&]<typename S>() {
      constexpr int kN = kPack<S>;
      const bool factors = reinterpret_cast<std::uintptr_t>(column_factor.data) % 16 == 0;
      if (factors && rows_in_packs(in, e.cols, e.stride, kN) &&
          rows_in_packs(out, e.cols, e.cols, kN)) {
        run.template operator()<S, F, kN>();
      } else {
        run.template operator()<S, F, 1>();
      }
    });
  });
}

void CudaKernels::dequantize_codes(const View& in, const View& scale, const View& out) {
  const bool by_row = scale.count() != 1;
  const Extents e = extents_of(out, out.contiguous() && !by_row);
  dispatch_codes(in.dtype, [&]<typename F>() {
    dispatch_float(out.dtype, [&]<typename S>() {
      const auto run = [&]<int N>() {
        launch<dequantize_kernel<F, S, N>>(stream(), grid_for(e.rows * (e.cols / N)), in.as<F>(),
                                           scale.as<float>(), by_row, e.rows, e.cols, out.as<S>(),
                                           e.stride);
      };
      constexpr int kN = kPack<S>;
      if (rows_in_packs(in, e.cols, e.cols, kN) && rows_in_packs(out, e.cols, e.stride, kN)) {
        run.template operator()<kN>();
      } else {
        run.template operator()<1>();
      }
    });
  });
}

}  // namespace mantissa::cuda
