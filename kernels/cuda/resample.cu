#include "kernels/cuda/backend.h"
#include "kernels/cuda/elements.cuh"
#include "kernels/op_checks.h"

namespace mantissa::cuda {

namespace {

/// Heights and widths of the small and the large image.
struct Sizes {
  std::int64_t height, width, large_height, large_width;
};
Sizes sizes_of(const View& small, const View& large) {
  return {small.shape[1], small.shape[2], large.shape[1], large.shape[2]};
}

/// Output pixel o reads source pixel floor(o·in/out), in integers.
struct NearestRow {
  Sizes s;
  __device__ std::int64_t operator()(std::int64_t row) const {
    const std::int64_t x = row % s.large_width, y = row / s.large_width % s.large_height;
    const std::int64_t sample = row / s.large_width / s.large_height;
    return (sample * s.height + y * s.height / s.large_height) * s.width +
           x * s.width / s.large_width;
  }
};

/// First output position whose source is `i`.
__device__ std::int64_t first_target(std::int64_t i, std::int64_t in, std::int64_t out) {
  return (i * out + in - 1) / in;
}

/// d_in[pixel] = Σ of the output pixels that read it, by rows.
template <int kWidth, typename S>
__global__ void __launch_bounds__(kThreads)
    upsample_nearest_backward_kernel(Extent extent, Sizes s, Rows<const S> d_out, Rows<S> d_in) {
  using T = accumulator_t<S>;
  const std::int64_t packs = extent.cols / kWidth;
  for (std::int64_t i = global_thread(); i < extent.rows * packs; i += global_threads()) {
    const std::int64_t row = i / packs, col = (i - row * packs) * kWidth;
    const std::int64_t x = row % s.width, y = row / s.width % s.height;
    const std::int64_t sample = row / s.width / s.height;
    const std::int64_t y1 = first_target(y + 1, s.height, s.large_height);
    const std::int64_t x1 = first_target(x + 1, s.width, s.large_width);
    T sums[kWidth] = {};
    for (std::int64_t oy = first_target(y, s.height, s.large_height); oy < y1; ++oy) {
      for (std::int64_t ox = first_target(x, s.width, s.large_width); ox < x1; ++ox) {
        const std::int64_t from = (sample * s.large_height + oy) * s.large_width + ox;
        const auto d = load_pack<kWidth>(d_out.data + from * d_out.stride + col);
#pragma unroll
        for (int k = 0; k < kWidth; ++k) {
          sums[k] += load(&d.value[k]);
        }
      }
    }
    Pack<S, kWidth> result;
#pragma unroll
    for (int k = 0; k < kWidth; ++k) {
      result.value[k] = rounded<S>(sums[k]);
    }
    store_pack<kWidth>(d_in.data + row * d_in.stride + col, result);
  }
}

}  // namespace

void CudaKernels::upsample_nearest(const View& in, const View& out) {
  check_resample(in, out, "upsample_nearest", "in", "out");
  copy_rows(stream(), in, out, NearestRow{sizes_of(in, out)});
}

void CudaKernels::upsample_nearest_backward(const View& d_out, const View& d_in) {
  check_resample(d_in, d_out, "upsample_nearest_backward", "d_in", "d_out");
  if (d_in.count() == 0) {
    return;
  }
  const Extent extent{d_in.rows(), d_in.cols()};
  dispatch_float(d_in.dtype, [&]<typename S>() {
    const auto from = rows_of<const S>(d_out);
    const auto to = rows_of<S>(d_in);
    const auto with = [&]<int kWidth>() {
      launch<upsample_nearest_backward_kernel<kWidth, S>>(
          stream(), grid_for(extent.rows * extent.cols / kWidth, kThreads, kMaxBlocks), extent,
          sizes_of(d_in, d_out), from, to);
    };
    if (extent.cols % kPack<S> == 0 && takes_packs(from, kPack<S>) && takes_packs(to, kPack<S>)) {
      with.template operator()<kPack<S>>();
    } else {
      with.template operator()<1>();
    }
  });
}

}  // namespace mantissa::cuda
