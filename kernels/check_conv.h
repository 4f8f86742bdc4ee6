#pragma once
// Argument checks shared by all backends.

#include <string>

#include "kernels/check.h"
#include "kernels/kernels.h"

namespace mantissa {

namespace detail {

/// Checks x, out and the kernel against each other; `weight` is [co, ci, kh, kw].
inline void check_conv(const View& x, const View& weight, const View& out, const ConvOptions& o,
                       const char* kernel, const char* x_name, const char* out_name) {
  check_kernel(x.shape.rank() == 4, kernel, [&] {
    return std::string(x_name) + " must be [batch, height, width, channels]; it is " +
           x.shape.str();
  });
  check_kernel(weight.shape.rank() == 4, kernel, [&] {
    return "weight must be [out, in, height, width]; it is " + weight.shape.str();
  });
  check_kernel(weight.contiguous(), kernel, "weight must be contiguous");
  check_kernel(weight.shape[1] == x.shape[3], kernel, [&] {
    return "weight " + weight.shape.str() + " expects " + std::to_string(weight.shape[1]) +
           " input channels; " + x_name + " is " + x.shape.str();
  });
  check_kernel(
      o.stride >= 1 && o.pad_top >= 0 && o.pad_left >= 0 && o.pad_bottom >= 0 && o.pad_right >= 0,
      kernel, "stride must be at least 1 and padding at least 0");
  const std::int64_t height = x.shape[1] + o.pad_top + o.pad_bottom - weight.shape[2];
  const std::int64_t width = x.shape[2] + o.pad_left + o.pad_right - weight.shape[3];
  check_kernel(height >= 0 && width >= 0 && weight.count() > 0, kernel, [&] {
    return "a kernel " + weight.shape.str() + " does not fit into " + x.shape.str();
  });
  check_shape(out, {x.shape[0], height / o.stride + 1, width / o.stride + 1, weight.shape[0]},
              kernel, out_name);
}

}  // namespace detail

inline void check_conv2d(const View& x, const View& weight, const View& bias, const View& out,
                         const ConvOptions& options) {
  const char* kernel = "conv2d";
  check_float(x, kernel, "x");
  check_float(weight, kernel, "weight");
  check_float(out, kernel, "out");
  check_dtype(weight, x.dtype, kernel, "weight");
  check_dtype(out, x.dtype, kernel, "out");
  detail::check_conv(x, weight, out, options, kernel, "x", "out");
  if (bias) {
    check_like(bias, View(bias.data, x.dtype, {weight.shape[0]}), kernel, "bias");
  }
}

inline void check_conv2d_backward_data(const View& d_out, const View& weight, const View& d_x,
                                       const ConvOptions& options) {
  const char* kernel = "conv2d_backward_data";
  check_float(d_out, kernel, "d_out");
  check_float(weight, kernel, "weight");
  check_float(d_x, kernel, "d_x");
  check_dtype(weight, d_out.dtype, kernel, "weight");
  check_dtype(d_x, d_out.dtype, kernel, "d_x");
  detail::check_conv(d_x, weight, d_out, options, kernel, "d_x", "d_out");
}

inline void check_conv2d_backward_weight(const View& x, const View& d_out, const View& d_weight,
                                         const ConvOptions& options) {
  const char* kernel = "conv2d_backward_weight";
  check_float(x, kernel, "x");
  check_float(d_out, kernel, "d_out");
  check_float(d_weight, kernel, "d_weight");
  check_dtype(d_out, x.dtype, kernel, "d_out");
  check_dtype(d_weight, statistics_dtype(x.dtype), kernel, "d_weight");
  detail::check_conv(x, d_weight, d_out, options, kernel, "x", "d_out");
}

}  // namespace mantissa
