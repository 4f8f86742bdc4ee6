#pragma once
// Argument checks shared by all backends.

#include <string>

#include "kernels/check.h"

namespace mantissa {

inline void check_quantize(const View& in, const View& column_factor, const View& out,
                           const View& scale, const View& delayed) {
  const char* kernel = "quantize";
  check_float(in, kernel, "in");
  check_kernel(in.dtype != DType::f64, kernel, "in must be fp32, fp16 or bf16; it is fp64");
  check_kernel(out.count() == in.count() && out.cols() == in.cols(), kernel, [&] {
    return "out must be like in, " + in.shape.str() + "; it is " + out.shape.str();
  });
  if (is_blocked(out.dtype)) {
    check_blocks(out, kernel, "out");
    check_kernel(!is_gguf(out.dtype), kernel, "blocks of GGUF are only read");
    check_packed(in, kernel, "in");
    check_kernel(!column_factor && !scale && !delayed, kernel,
                 "blocks have their scales behind them, and no factors");
    return;
  }
  check_codes(out, kernel, "out");
  check_scales(scale, in.rows(), kernel, "scale");
  check_kernel(out.dtype != DType::i8_rotated || (scale.count() == in.rows() && !column_factor),
               kernel, "rotated codes have a scale for each row, and no factors");
  if (column_factor) {
    check_scales(column_factor, in.cols(), kernel, "column_factor");
    check_kernel(column_factor.count() == in.cols(), kernel, "column_factor needs one a column");
  }
  if (delayed) {
    check_kernel(is_float(out.dtype), kernel, "only FP8 has delayed scales");
    check_dtype(delayed, DType::f32, kernel, "delayed");
    check_kernel(delayed.count() == 2 && scale.count() == 1, kernel,
                 "delayed holds 2 values and goes with one shared scale");
  }
}

inline void check_dequantize(const View& in, const View& scale, const View& out) {
  const char* kernel = "dequantize";
  check_float(out, kernel, "out");
  if (is_blocked(in.dtype)) {
    check_blocks(in, kernel, "in");
    check_kernel(!scale, kernel, "blocks have their scales behind them");
  } else {
    check_codes(in, kernel, "in");
    check_scales(scale, in.rows(), kernel, "scale");
  }
  check_kernel(out.count() == in.count() && out.cols() == in.cols(), kernel, [&] {
    return "out must be like in, " + in.shape.str() + "; it is " + out.shape.str();
  });
}

/// See Kernels::rotate.
inline void check_rotate(const View& in, const View& addend, const View& out) {
  const char* kernel = "rotate";
  check_float(in, kernel, "in");
  check_kernel(in.dtype != DType::f64, kernel, "in must be fp32, fp16 or bf16; it is fp64");
  check_kernel(rotation_group(in.cols()) > 1, kernel,
               [&] { return "4 must divide the rows; in is " + in.shape.str(); });
  check_like(out, in, kernel, "out");
  if (addend) {
    check_like(addend, in, kernel, "addend");
  }
}

inline void check_tensor_statistics(const View& x, const View& column_factor, DType format,
                                    const View& scale) {
  const char* kernel = "tensor_statistics";
  check_float(x, kernel, "x");
  check_kernel(is_float(format) || is_coded(format), kernel, [&] {
    return "format must be a float dtype or codes; it is " + dtype_text(format);
  });
  check_kernel(format != DType::i8_rotated || (rotation_group(x.cols()) > 1 && !column_factor),
               kernel, "only rows that 4 divides are rotated, and without factors");
  if (column_factor) {
    check_scales(column_factor, x.cols(), kernel, "column_factor");
    check_kernel(column_factor.count() == x.cols(), kernel, "column_factor needs one a column");
  }
  if (scale) {
    check_scales(scale, x.rows(), kernel, "scale");
  }
}

}  // namespace mantissa
