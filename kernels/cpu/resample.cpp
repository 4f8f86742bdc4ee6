#include <cstring>

#include "kernels/cpu/backend.h"
#include "kernels/op_checks.h"

namespace mantissa::MANTISSA_ISA {

namespace {

/// The source of output position `o`: floor(o·in/out), in integers.
std::int64_t source(std::int64_t o, std::int64_t in, std::int64_t out) {
  return o * in / out;
}

/// First output position whose source is `i`.
std::int64_t first_target(std::int64_t i, std::int64_t in, std::int64_t out) {
  return ceil_div(i * out, in);
}

}  // namespace

void CpuKernels::upsample_nearest(const View& in, const View& out) {
  check_resample(in, out, "upsample_nearest", "in", "out");
  const std::int64_t height = out.shape[1], width = out.shape[2];
  const std::size_t size = dtype_size(in.dtype);
  const std::size_t bytes = static_cast<std::size_t>(in.cols()) * size;
  for_ranges(
      pool_, out.shape[0] * height, row_grain(width * out.cols()),
      [&](std::int64_t begin, std::int64_t end, int) {
        for (std::int64_t r = begin; r < end; ++r) {
          const std::int64_t y = source(r % height, in.shape[1], height);
          for (std::int64_t x = 0; x < width; ++x) {
            const std::int64_t from =
                (r / height * in.shape[1] + y) * in.shape[2] + source(x, in.shape[2], width);
            std::memcpy(
                out.as<char>() + static_cast<std::size_t>((r * width + x) * out.row_stride) * size,
                in.as<char>() + static_cast<std::size_t>(from * in.row_stride) * size, bytes);
          }
        }
      });
}

void CpuKernels::upsample_nearest_backward(const View& d_out, const View& d_in) {
  check_resample(d_in, d_out, "upsample_nearest_backward", "d_in", "d_out");
  const std::int64_t h = d_in.shape[1], w = d_in.shape[2], c = d_in.shape[3];
  const std::int64_t height = d_out.shape[1], width = d_out.shape[2];
  dispatch_float(d_in.dtype, [&]<typename S>() {
    using T = accumulator_t<S>;
    using V = Vec<T>;
    for_ranges(pool_, d_in.shape[0] * h, row_grain(w * c),
               [&](std::int64_t begin, std::int64_t end, int) {
                 for (std::int64_t r = begin; r < end; ++r) {
                   const std::int64_t y0 = first_target(r % h, h, height);
                   const std::int64_t y1 = first_target(r % h + 1, h, height);
                   for (std::int64_t x = 0; x < w; ++x) {
                     const std::int64_t x0 = first_target(x, w, width);
                     const std::int64_t x1 = first_target(x + 1, w, width);
                     S* to = d_in.as<S>() + (r * w + x) * d_in.row_stride;
                     for (std::int64_t k = 0; k < c; k += V::kLanes) {
                       const int n = static_cast<int>(std::min<std::int64_t>(V::kLanes, c - k));
                       V sum(T(0));
                       for (std::int64_t oy = y0; oy < y1; ++oy) {
                         for (std::int64_t ox = x0; ox < x1; ++ox) {
                           const std::int64_t from = (r / h * height + oy) * width + ox;
                           sum = sum + load_n(d_out.as<S>() + from * d_out.row_stride + k, n);
                         }
                       }
                       store_n(to + k, sum, n);
                     }
                   }
                 }
               });
  });
}

}  // namespace mantissa::MANTISSA_ISA
