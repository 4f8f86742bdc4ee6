#pragma once
// Argument checks of matmul, shared by all backends.

#include "kernels/check.h"
#include "kernels/kernels.h"

namespace mantissa {

/// The operands of one block: see MatmulOptions::blocks.
struct MatmulBlock {
  View a, b, out, addend;
};
/// Block `i` of `blocks` along the columns.
inline View column_block(const View& v, int blocks, int i) {
  View part = v;
  part.shape = {v.rows(), v.cols() / blocks};
  part.data = v.as<char>() + static_cast<std::size_t>(i * part.cols()) * dtype_size(v.dtype);
  part.constant_id = 0;
  return part;
}
/// Block `i` of `blocks` along the rows.
inline View row_block(const View& v, int blocks, int i) {
  View part = v;
  part.shape = {v.rows() / blocks, v.cols()};
  part.data =
      v.as<char>() + static_cast<std::size_t>(i * part.rows() * v.row_stride) * dtype_size(v.dtype);
  part.constant_id = 0;
  return part;
}
inline MatmulBlock matmul_block(const View& a, const View& b, const View& out,
                                const MatmulOptions& o, int i) {
  const auto like_out = [&](const View& v) {
    return !v ? View{} : o.transpose_a ? row_block(v, o.blocks, i) : column_block(v, o.blocks, i);
  };
  return {column_block(a, o.blocks, i),
          o.transpose_a ? column_block(b, o.blocks, i) : row_block(b, o.blocks, i), like_out(out),
          like_out(o.addend)};
}

/// See Kernels::matmul.
inline void check_matmul(const View& a, const View& b, const View& bias, const View& out,
                         const MatmulOptions& options) {
  const char* kernel = "matmul";
  if (options.addend) {
    check_like(options.addend, out, kernel, "addend");
  }
  if (options.blocks > 1) {
    const auto whole = [&](std::int64_t size, const char* what) {
      check_kernel(size % options.blocks == 0, kernel, [&] {
        return std::string(what) + " can't be divided into " + std::to_string(options.blocks) +
               " blocks";
      });
    };
    whole(a.cols(), "a");
    whole(options.transpose_a ? b.cols() : b.rows(), "b");
    whole(options.transpose_a ? out.rows() : out.cols(), "out");
    check_kernel(!bias, kernel, "a product of blocks takes no bias");
    const MatmulBlock block = matmul_block(a, b, out, options, 0);
    MatmulOptions single = options;
    single.blocks = 1;
    single.addend = {};
    check_matmul(block.a, block.b, {}, block.out, single);
    return;
  }
  check_float(a, kernel, "a");
  check_float(b, kernel, "b");
  check_float(out, kernel, "out");
  check_dtype(b, a.dtype, kernel, "b");
  const bool sums = dtype_size(a.dtype) == 2 && out.dtype == DType::f32;
  check_kernel(sums || out.dtype == a.dtype, kernel, [&] {
    return "out must be " + dtype_text(a.dtype) +
           (dtype_size(a.dtype) == 2 ? " as a and b are, or fp32" : " as a and b are") +
           "; it is " + dtype_text(out.dtype);
  });
  check_kernel(!sums || !bias, kernel, "an fp32 out of 16-bit a and b takes no bias");
  const std::int64_t m = options.transpose_a ? a.cols() : a.rows();
  const std::int64_t k = options.transpose_a ? a.rows() : a.cols();
  const std::int64_t n = options.transpose_b ? b.rows() : b.cols();
  const std::int64_t b_depth = options.transpose_b ? b.cols() : b.rows();
  check_kernel(k > 0 && b_depth == k, kernel, [&] {
    return "depths differ: a " + a.shape.str() + (options.transpose_a ? " transposed" : "") +
           " by b " + b.shape.str() + (options.transpose_b ? " transposed" : "");
  });
  check_kernel(out.rows() == m && out.cols() == n, kernel, [&] {
    return "out must be " + Shape{m, n}.str() + "; it is " + out.shape.str();
  });
  if (bias) {
    check_float(bias, kernel, "bias");
    check_dtype(bias, a.dtype, kernel, "bias");
    check_packed(bias, kernel, "bias");
    check_kernel(bias.count() == n, kernel, [&] {
      return "bias must hold " + std::to_string(n) + " elements; it is " + bias.shape.str();
    });
  }
}

/// See Kernels::matmul_codes.
inline void check_matmul_codes(const View& a, const View& a_scale, const View& b,
                               const View& b_scale, const View& bias, const View& out,
                               const MatmulOptions& options) {
  const char* kernel = "matmul_codes";
  constexpr std::int64_t kInt8Depth = std::int64_t{1} << 17;
  const std::int64_t m = a.rows(), k = a.cols();
  const std::int64_t n = options.transpose_b ? b.rows() : b.cols();
  const bool int8 = is_int8(a.dtype);
  check_codes(a, kernel, "a");
  check_codes(b, kernel, "b");
  check_kernel(int8 == is_int8(b.dtype), kernel, [&] {
    return "both operands must be FP8 or both int8; they are " + dtype_text(a.dtype) + " and " +
           dtype_text(b.dtype);
  });
  check_kernel(!int8 || a.dtype == (options.transpose_b ? b.dtype : DType::i8), kernel, [&] {
    return "both operands must be rotated along the depth, or neither; they are " +
           dtype_text(a.dtype) + " and " + dtype_text(b.dtype);
  });
  check_kernel(a.dtype != DType::f8_e5m2 || b.dtype != DType::f8_e5m2, kernel,
               "one operand must be E4M3: two of E5M2 have no hardware product");
  check_kernel(!int8 || k <= kInt8Depth, kernel, [&] {
    return "sums of " + std::to_string(k) + " products of int8 codes may exceed 32 bits";
  });
  check_kernel(
      (options.transpose_b ? b.cols() : b.rows()) == k && out.rows() == m && out.cols() == n,
      kernel, [&] {
        return "shapes don't fit: a " + a.shape.str() + ", b " + b.shape.str() + ", out " +
               out.shape.str();
      });
  check_kernel(out.dtype == DType::bf16 || (int8 && out.dtype == DType::f16), kernel, [&] {
    return "out must be bf16 or, with int8, fp16; it is " + dtype_text(out.dtype);
  });
  check_scales(a_scale, m, kernel, "a_scale");
  if (b_scale) {
    check_scales(b_scale, n, kernel, "b_scale");
    check_kernel(b_scale.count() == n, kernel,
                 "b_scale must hold one value for each output channel");
  }
  if (bias) {
    check_like(bias, View(bias.data, out.dtype, {n}), kernel, "bias");
  }
  if (options.addend) {
    check_like(options.addend, out, kernel, "addend");
  }
}

}  // namespace mantissa
