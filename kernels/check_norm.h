#pragma once
// Argument checks shared by all backends.

#include <string>

#include "kernels/check.h"

namespace mantissa {

namespace detail {

inline void check_norm_parameter(const View& v, const View& x, const char* kernel,
                                 const char* what) {
  check_float(v, kernel, what);
  check_packed(v, kernel, what);
  check_shape(v, {x.cols()}, kernel, what);
  check_kernel(v.dtype == x.dtype || v.dtype == statistics_dtype(x.dtype), kernel, [&] {
    return std::string(what) + " must be " + dtype_text(x.dtype) + " or fp32; it is " +
           dtype_text(v.dtype);
  });
}

inline void check_norm_gradient(const View& v, const View& x, const char* kernel,
                                const char* what) {
  if (v) {
    check_float(v, kernel, what);
    check_dtype(v, statistics_dtype(x.dtype), kernel, what);
    check_packed(v, kernel, what);
    check_shape(v, {x.cols()}, kernel, what);
  }
}

/// Common to all backward ops: d_out and d_x like x, and the optional gradients of gamma and beta.
inline void check_norm_gradients(const View& d_out, const View& x, const View& d_x,
                                 const View& d_gamma, const View& d_beta, const char* kernel) {
  check_like(d_out, x, kernel, "d_out");
  check_like(d_x, x, kernel, "d_x");
  check_norm_gradient(d_gamma, x, kernel, "d_gamma");
  check_norm_gradient(d_beta, x, kernel, "d_beta");
}

inline void check_norm_statistics(const View& v, const View& x, Shape expected,
                                  const char* kernel) {
  check_float(v, kernel, "statistics");
  check_dtype(v, statistics_dtype(x.dtype), kernel, "statistics");
  check_packed(v, kernel, "statistics");
  check_shape(v, expected, kernel, "statistics");
}

inline void check_group_norm_inputs(const View& x, const View& gamma, const View& beta,
                                    const View& statistics, int groups, const char* kernel) {
  check_float(x, kernel, "x");
  check_kernel(x.shape.rank() >= 2 && x.count() > 0, kernel,
               [&] { return "x must be [batch, ..., channels]; it is " + x.shape.str(); });
  check_kernel(groups > 0 && x.cols() % groups == 0, kernel, [&] {
    return std::to_string(x.cols()) + " channels don't divide into " + std::to_string(groups) +
           " groups";
  });
  check_norm_parameter(gamma, x, kernel, "gamma");
  check_norm_parameter(beta, x, kernel, "beta");
  check_norm_statistics(statistics, x, {x.shape[0], groups, 2}, kernel);
}

inline void check_row_norm_inputs(const View& x, const View& gamma, const View& beta,
                                  const View& statistics, const char* kernel) {
  check_float(x, kernel, "x");
  check_kernel(x.shape.rank() >= 1 && x.cols() > 0, kernel, "x must have columns");
  if (gamma) {
    check_norm_parameter(gamma, x, kernel, "gamma");
  }
  if (beta) {
    check_norm_parameter(beta, x, kernel, "beta");
  }
  check_norm_statistics(statistics, x, {x.rows(), 2}, kernel);
}

}  // namespace detail

inline void check_group_norm(const View& x, const View& gamma, const View& beta, const View& out,
                             const View& statistics, int groups) {
  detail::check_group_norm_inputs(x, gamma, beta, statistics, groups, "group_norm");
  check_like(out, x, "group_norm", "out");
}

inline void check_group_norm_backward(const View& d_out, const View& x, const View& gamma,
                                      const View& beta, const View& statistics, const View& d_x,
                                      const View& d_gamma, const View& d_beta, int groups) {
  const char* kernel = "group_norm_backward";
  detail::check_group_norm_inputs(x, gamma, beta, statistics, groups, kernel);
  detail::check_norm_gradients(d_out, x, d_x, d_gamma, d_beta, kernel);
}

/// LayerNorm and RMSNorm; `kernel` names which.
inline void check_row_norm(const View& x, const View& gamma, const View& beta, const View& out,
                           const View& statistics, const char* kernel) {
  detail::check_row_norm_inputs(x, gamma, beta, statistics, kernel);
  check_like(out, x, kernel, "out");
}

inline void check_row_norm_backward(const View& d_out, const View& x, const View& gamma,
                                    const View& statistics, const View& addend, const View& d_x,
                                    const View& d_gamma, const View& d_beta, const char* kernel) {
  detail::check_row_norm_inputs(x, gamma, {}, statistics, kernel);
  if (addend) {
    check_like(addend, x, kernel, "addend");
  }
  detail::check_norm_gradients(d_out, x, d_x, d_gamma, d_beta, kernel);
}

}  // namespace mantissa
