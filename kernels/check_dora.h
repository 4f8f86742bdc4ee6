#pragma once
// Argument checks of the DoRA ops, shared by all backends.

#include <span>
#include <string>

#include "kernels/check.h"
#include "kernels/kernels.h"

namespace mantissa {

/// Requirements of weight_squares and dora_norm on the weight and `out`.
inline void check_norm_args(const DoraNormArgs& args, const View& out, const char* kernel) {
  const View& w = args.weight;
  check_kernel(w.data != nullptr && (is_float(w.dtype) || is_coded(w.dtype)) &&
                   !is_grouped(w.dtype) && w.contiguous(),
               kernel, "weight must be a packed tensor of floats, or of codes in no groups");
  check_kernel((w.shape.rank() == 2 || w.shape.rank() == 4) && w.count() > 0, kernel, [&] {
    return "weight must be [out, in] or [out, in, kh, kw]; it is " + w.shape.str();
  });
  check_kernel(!args.weight_scale || (is_coded(w.dtype) && args.weight_scale.dtype == DType::f32 &&
                                      args.weight_scale.count() == w.shape[0]),
               kernel, "weight_scale goes with codes: fp32, one value an output channel");
  check_float(out, kernel, "out");
  check_dtype(out, statistics_dtype(w.dtype), kernel, "out");
  check_shape(out, {args.per_input ? w.shape[1] : w.shape[0]}, kernel, "out");
}

inline void check_dora_norm(const DoraNormArgs& args, const View& norm) {
  const char* kernel = "dora_norm";
  check_norm_args(args, norm, kernel);
  const Shape& w = args.weight.shape;
  const bool wide = args.weight.dtype == DType::f64;
  check_float(args.down, kernel, "down");
  check_packed(args.down, kernel, "down");
  if (!args.up) {
    const bool fits = args.down.count() == args.weight.count();
    check_kernel((args.down.dtype == DType::f64) == wide && fits, kernel, [&] {
      return "a whole change " + dtype_text(args.down.dtype) + " " + args.down.shape.str() +
             " doesn't fit the weight " + w.str();
    });
    return;
  }
  check_float(args.up, kernel, "up");
  check_packed(args.up, kernel, "up");
  check_kernel((args.down.dtype == DType::f64) == wide && (args.up.dtype == DType::f64) == wide,
               kernel, "down and up must be fp64 with an fp64 weight, and only then");
  const std::int64_t rank = args.down.shape.rank() > 0 ? args.down.shape[0] : 0;
  check_kernel(rank > 0 && args.down.count() * w[0] == rank * args.weight.count() &&
                   args.up.count() == w[0] * rank,
               kernel, [&] {
                 return "down " + args.down.shape.str() + " and up " + args.up.shape.str() +
                        " don't fit the weight " + w.str();
               });
  check_like(args.squares, norm, kernel, "squares");
}

inline void check_divide_by_norm(const View& numerator, const View& norm, const View& squares,
                                 const View& out) {
  const char* kernel = "divide_by_norm";
  check_float(numerator, kernel, "numerator");
  check_dtype(numerator, statistics_dtype(numerator.dtype), kernel, "numerator");
  for (const View* v : {&norm, &squares, &out}) {
    check_like(*v, numerator, kernel, "norm, squares and out");
  }
}

inline void check_dora_factors(std::span<const DoraFactorArgs> layers) {
  for (const DoraFactorArgs& l : layers) {
    check_kernel(static_cast<bool>(l.layer.up), "dora_factors", "up must be there");
    check_dora_norm(l.layer, l.norm);
    check_like(l.magnitude, l.norm, "dora_factors", "magnitude");
    check_like(l.factor, l.norm, "dora_factors", "factor");
  }
}

inline void check_magnitude_gradients(std::span<const MagnitudeGradient> layers) {
  for (const MagnitudeGradient& l : layers) {
    check_divide_by_norm(l.d_factor, l.norm, l.squares, l.d_magnitude);
  }
}

/// The operands shared by scale_channels and its backward.
inline void check_channels(const View& z, const View& v, const View& bias, const View& addend,
                           const View& factor, const char* kernel) {
  check_float(z, kernel, "z");
  const std::int64_t cols = z.cols();
  check_kernel(factor || v, kernel, "without a factor there must be v");
  if (factor) {
    check_dtype(factor, statistics_dtype(z.dtype), kernel, "factor");
    check_shape(factor, {cols}, kernel, "factor");
    check_packed(factor, kernel, "factor");
  }
  for (const View* like : {&v, &addend}) {
    if (*like) {
      check_like(*like, z, kernel, "v and addend");
    }
  }
  check_kernel(!v || (!bias && !addend), kernel, "v excludes bias and addend");
  if (bias) {
    check_float(bias, kernel, "bias");
    check_packed(bias, kernel, "bias");
    check_kernel(bias.dtype == z.dtype || bias.dtype == statistics_dtype(z.dtype), kernel, [&] {
      return "bias must be " + dtype_text(z.dtype) + " or fp32; it is " + dtype_text(bias.dtype);
    });
    check_kernel(bias.count() == cols, kernel, [&] {
      return "bias must hold " + std::to_string(cols) + " elements; it is " + bias.shape.str();
    });
  }
}

inline void check_scale_channels_backward(const View& d_out, const View& z, const View& v,
                                          const View& bias, const View& addend, const View& factor,
                                          const View& d_v, const View& d_factor) {
  const char* kernel = "scale_channels_backward";
  check_kernel(static_cast<bool>(factor), kernel, "factor must be there");
  check_channels(z, v, bias, addend, factor, kernel);
  check_like(d_out, z, kernel, "d_out");
  if (d_v) {
    check_like(d_v, z, kernel, "d_v");
  }
  check_dtype(d_factor, factor.dtype, kernel, "d_factor");
  check_shape(d_factor, factor.shape, kernel, "d_factor");
}

}  // namespace mantissa
