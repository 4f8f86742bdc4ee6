#pragma once
// Argument checks of matmul, shared by all backends.

#include "kernels/check.h"
#include "kernels/kernels.h"

namespace mantissa {

/// See Kernels::matmul.
inline void check_matmul(const View& a, const View& b, const View& bias, const View& out,
                         const MatmulOptions& options) {
  const char* kernel = "matmul";
  check_float(a, kernel, "a");
  check_float(b, kernel, "b");
  check_float(out, kernel, "out");
  check_dtype(b, a.dtype, kernel, "b");
  const bool sums = dtype_size(a.dtype) == 2 && out.dtype == DType::f32;
  check_kernel(sums || out.dtype == a.dtype, kernel,
               "out must be " + dtype_text(a.dtype) +
                   (dtype_size(a.dtype) == 2 ? " as a and b are, or fp32" : " as a and b are") +
                   "; it is " + dtype_text(out.dtype));
  check_kernel(!sums || !bias, kernel, "an fp32 out of 16-bit a and b takes no bias");
  const std::int64_t m = options.transpose_a ? a.cols() : a.rows();
  const std::int64_t k = options.transpose_a ? a.rows() : a.cols();
  const std::int64_t n = options.transpose_b ? b.rows() : b.cols();
  const std::int64_t b_depth = options.transpose_b ? b.cols() : b.rows();
  check_kernel(k > 0 && b_depth == k, kernel,
               "depths differ: a " + a.shape.str() + (options.transpose_a ? " transposed" : "") +
                   " by b " + b.shape.str() + (options.transpose_b ? " transposed" : ""));
  check_kernel(out.rows() == m && out.cols() == n, kernel,
               "out must be " + Shape{m, n}.str() + "; it is " + out.shape.str());
  if (bias) {
    check_float(bias, kernel, "bias");
    check_dtype(bias, a.dtype, kernel, "bias");
    check_packed(bias, kernel, "bias");
    check_kernel(bias.count() == n, kernel,
                 "bias must hold " + std::to_string(n) + " elements; it is " + bias.shape.str());
  }
}

}  // namespace mantissa
