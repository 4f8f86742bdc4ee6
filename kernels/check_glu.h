#pragma once
// Argument checks of gated linear units, shared by all backends.

#include <string>

#include "kernels/check.h"
#include "kernels/kernels.h"
#include "kernels/weight_codes.h"

namespace mantissa {

/// gate, value and out of one shape.
inline void check_glu(Unary kind, const View& gate, const View& value, const View& out) {
  check_kernel(
      kind == Unary::silu || kind == Unary::gelu_erf || kind == Unary::sigmoid, "glu", [&] {
        return "a gate is silu, gelu_erf or sigmoid; it is " + std::string(unary_name(kind));
      });
  check_float(gate, "glu", "gate");
  check_like(value, gate, "glu", "value");
  check_like(out, gate, "glu", "out");
}
inline void check_glu_backward(Unary kind, const View& d_out, const View& gate, const View& value,
                               const View& d_gate, const View& d_value) {
  check_glu(kind, gate, value, d_out);
  check_like(d_gate, gate, "glu_backward", "d_gate");
  check_like(d_value, gate, "glu_backward", "d_value");
}

/// Codes that take the place of a unit's result like `result`, with a scale per row.
inline void check_unit_codes(Unary kind, const View& result, const View& codes, const View& scale,
                             DType fp8, const char* kernel) {
  check_kernel(kind == Unary::silu || kind == Unary::gelu_erf, kernel, [&] {
    return "a gate is silu or gelu_erf; it is " + std::string(unary_name(kind));
  });
  const bool of_int8 = result.dtype == DType::f16 || result.dtype == DType::bf16;
  check_kernel(
      (codes.dtype == DType::i8 && of_int8) || (codes.dtype == fp8 && result.dtype == DType::bf16),
      kernel, [&] {
        return "codes are int8 of fp16 or bf16, or " + dtype_text(fp8) + " of bf16; not " +
               dtype_text(codes.dtype) + " of " + dtype_text(result.dtype);
      });
  check_shape(codes, result.shape, kernel, "codes");
  check_dtype(scale, DType::f32, kernel, "scale");
  check_kernel(scale.count() == result.rows(), kernel, "scale needs one a row");
}
inline void check_glu_codes(Unary kind, const View& gate, const View& value, const View& codes,
                            const View& scale) {
  check_glu(kind, gate, value, gate);
  check_unit_codes(kind, gate, codes, scale, DType::f8_e4m3, "glu_codes");
  check_packed(codes, "glu_codes", "codes");
}
inline void check_glu_backward_codes(Unary kind, const View& d_out, const View& gate,
                                     const View& value, const View& column_factor,
                                     const View& d_gate, const View& d_value, const View& scale) {
  const char* kernel = "glu_backward_codes";
  check_glu(kind, gate, value, d_out);
  check_unit_codes(kind, gate, d_gate, scale, DType::f8_e5m2, kernel);
  check_unit_codes(kind, gate, d_value, scale, DType::f8_e5m2, kernel);
  const std::int64_t width = gate.cols();
  const std::int64_t apart = d_value.as<std::uint8_t>() - d_gate.as<std::uint8_t>();
  check_kernel(d_gate.dtype == d_value.dtype && (apart == width || apart == -width) &&
                   d_gate.row_stride == 2 * width && d_value.row_stride == 2 * width,
               kernel, "d_gate and d_value must be the halves of one packed tensor");
  if (column_factor) {
    check_dtype(column_factor, DType::f32, kernel, "column_factor");
    check_packed(column_factor, kernel, "column_factor");
    check_kernel(column_factor.count() == 2 * width, kernel, "column_factor needs one a column");
  }
}

/// Calls f<kind, S, C>() for a unit that passed check_unit_codes: of S, with codes C.
template <typename Fp8, typename F>
void dispatch_unit_codes(Unary kind, DType values, DType codes, F&& f) {
  const auto with = [&]<Unary kKind>() {
    if (values == DType::f16) {
      f.template operator()<kKind, float16, int8_code>();
    } else if (codes == DType::i8) {
      f.template operator()<kKind, bfloat16, int8_code>();
    } else {
      f.template operator()<kKind, bfloat16, Fp8>();
    }
  };
  if (kind == Unary::silu) {
    with.template operator()<Unary::silu>();
  } else {
    with.template operator()<Unary::gelu_erf>();
  }
}

/// Calls f<kind>() for a gate's activation that passed check_glu.
template <typename F>
void dispatch_gate(Unary kind, F&& f) {
  if (kind == Unary::silu) {
    f.template operator()<Unary::silu>();
  } else if (kind == Unary::gelu_erf) {
    f.template operator()<Unary::gelu_erf>();
  } else {
    f.template operator()<Unary::sigmoid>();
  }
}

}  // namespace mantissa
