#pragma once
// Argument checks shared by all backends.

#include <string>

#include "kernels/check.h"
#include "kernels/kernels.h"

namespace mantissa {

/// The shape of one rope call.
struct Rotation {
  std::int64_t rows;    ///< batch·tokens
  std::int64_t tokens;  ///< of a sample
  std::int64_t heads;
  std::int64_t half;  ///< pairs of a head
  bool shared;        ///< one table for all samples
  bool own_angles;    ///< each channel of a pair has one: tables [rows, 2·half]

  /// Where the tables' row begins that rotates row `r` of x.
  std::int64_t table_row(std::int64_t r) const {
    return (shared ? r % tokens : r) * (half + second());
  }
  /// From the angle of a pair's first channel to that of its second.
  std::int64_t second() const { return own_angles ? half : 0; }
};

inline Rotation check_rope(const View& x, const View& cos, const View& sin, const View& out,
                           const RopeOptions& options) {
  const char* kernel = "rope";
  check_float(x, kernel, "x");
  check_like(out, x, kernel, "out");
  check_kernel(x.shape.rank() == 3, kernel,
               [&] { return "x must be [batch, tokens, width]; it is " + x.shape.str(); });
  const std::int64_t batch = x.shape[0], tokens = x.shape[1], width = x.shape[2];
  check_kernel(options.heads > 0 && width > 0 && width % (2 * options.heads) == 0, kernel, [&] {
    return "a width of " + std::to_string(width) + " doesn't divide into " +
           std::to_string(options.heads) + " heads of pairs";
  });
  const std::int64_t half = width / (2 * options.heads);
  const bool shared = cos.shape.rank() > 0 && cos.shape[0] == 1;
  const bool own =
      options.pairs == RopePairs::halves && cos.shape.rank() == 3 && cos.shape[2] == 2 * half;
  for (const View* table : {&cos, &sin}) {
    const char* what = table == &cos ? "cos" : "sin";
    check_float(*table, kernel, what);
    check_dtype(*table, statistics_dtype(x.dtype), kernel, what);
    check_packed(*table, kernel, what);
    check_shape(*table, {shared ? 1 : batch, tokens, own ? 2 * half : half}, kernel, what);
  }
  return {batch * tokens, tokens, options.heads, half, shared, own};
}

}  // namespace mantissa
