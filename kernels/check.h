#pragma once
// Checks of views that all backends share.

#include <cstdint>
#include <stdexcept>
#include <string>
#include <type_traits>

#include "kernels/block_codes.h"
#include "kernels/rotation.h"
#include "kernels/view.h"

namespace mantissa {

/// A kernel was called with unsupported views: a caller bug, caught before any write.
struct KernelError : std::logic_error {
  using std::logic_error::logic_error;
};

/// A device has too little memory free; says how much was needed and how much there is.
struct OutOfDeviceMemory : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Throws KernelError "[kernel] what" unless `ok`. `what` is a text, or a function that writes it:
/// kernels are called thousands of times a step, and nearly always rightly.
template <typename What>
void check_kernel(bool ok, const char* kernel, const What& what) {
  if (ok) {
    return;
  }
  if constexpr (std::is_invocable_v<const What&>) {
    throw KernelError(std::string("[") + kernel + "] " + what());
  } else {
    throw KernelError(std::string("[") + kernel + "] " + what);
  }
}

inline bool is_compute_dtype(DType d) {
  return d == DType::f64 || d == DType::f32 || d == DType::f16 || d == DType::bf16;
}
/// fp64 for fp64, fp32 for the rest: the dtype of statistics and losses.
inline DType statistics_dtype(DType d) {
  return d == DType::f64 ? DType::f64 : DType::f32;
}

inline std::string dtype_text(DType d) {
  return std::string(dtype_name(d));
}

/// The view is present (or empty), stores fp64, fp32, fp16 or bf16, and rows don't overlap.
inline void check_float(const View& v, const char* kernel, const char* what) {
  check_kernel(v.data != nullptr || v.count() == 0, kernel,
               [&] { return std::string(what) + " has no data"; });
  check_kernel(is_compute_dtype(v.dtype), kernel, [&] {
    return std::string(what) + " must be fp64, fp32, fp16 or bf16; it is " + dtype_text(v.dtype);
  });
  check_kernel(v.row_stride >= v.cols(), kernel, [&] {
    return std::string(what) + " has row stride " + std::to_string(v.row_stride) + " below its " +
           std::to_string(v.cols()) + " columns";
  });
}
inline void check_dtype(const View& v, DType expected, const char* kernel, const char* what) {
  check_kernel(v.dtype == expected, kernel, [&] {
    return std::string(what) + " must be " + dtype_text(expected) + "; it is " +
           dtype_text(v.dtype);
  });
}
inline void check_shape(const View& v, const Shape& expected, const char* kernel,
                        const char* what) {
  check_kernel(v.shape == expected, kernel, [&] {
    return std::string(what) + " must be " + expected.str() + "; it is " + v.shape.str();
  });
}
inline void check_packed(const View& v, const char* kernel, const char* what) {
  check_kernel(v.contiguous() || v.rows() <= 1, kernel, [&] {
    return std::string(what) + " must be contiguous; its row stride is " +
           std::to_string(v.row_stride) + " for " + std::to_string(v.cols()) + " columns";
  });
}
inline void check_codes(const View& v, const char* kernel, const char* what) {
  check_kernel(v.data != nullptr || v.count() == 0, kernel,
               [&] { return std::string(what) + " has no data"; });
  check_kernel(is_coded(v.dtype), kernel, [&] {
    return std::string(what) + " must hold FP8 or int8 codes; it is " + dtype_text(v.dtype);
  });
  check_kernel(v.dtype != DType::i8_rotated || rotation_group(v.cols()) > 1, kernel, [&] {
    return std::string(what) + " is rotated, so 4 must divide its rows; it is " + v.shape.str();
  });
  check_packed(v, kernel, what);
}
inline void check_blocks(const View& v, const char* kernel, const char* what) {
  check_kernel(v.data != nullptr || v.count() == 0, kernel,
               [&] { return std::string(what) + " has no data"; });
  check_kernel(is_blocked(v.dtype), kernel, [&] {
    return std::string(what) + " must hold blocks; it is " + dtype_text(v.dtype);
  });
  check_kernel(!is_gguf(v.dtype) || v.count() % block_layout(v.dtype, 0).values == 0, kernel,
               [&] { return std::string(what) + " must be whole blocks; it is " + v.shape.str(); });
  check_packed(v, kernel, what);
}
/// A weight for the checks of a GEMM in `dtype`: codes that it reads in pieces count as `dtype`.
inline View read_as(const View& weight, DType dtype, const char* kernel) {
  if (!is_read_in_pieces(weight.dtype)) {
    return weight;
  }
  check_kernel((weight.scale != nullptr || is_nf4(weight.dtype)) && dtype != DType::f64, kernel,
               "codes need their scales here, and are read as fp32, fp16 or bf16");
  View v = weight;
  v.dtype = dtype;
  return v;
}
/// [1] or [rows] fp32.
inline void check_scales(const View& v, std::int64_t rows, const char* kernel, const char* what) {
  check_dtype(v, DType::f32, kernel, what);
  check_kernel(v.data != nullptr && (v.count() == 1 || v.count() == rows), kernel, [&] {
    return std::string(what) + " must hold 1 or " + std::to_string(rows) + " factors; it is " +
           v.shape.str();
  });
}
/// Float, of the dtype and shape of `model`.
inline void check_like(const View& v, const View& model, const char* kernel, const char* what) {
  check_float(v, kernel, what);
  check_dtype(v, model.dtype, kernel, what);
  check_shape(v, model.shape, kernel, what);
}
inline void check_index(const View& v, const char* kernel, const char* what) {
  check_kernel(v.data != nullptr || v.count() == 0, kernel,
               [&] { return std::string(what) + " has no data"; });
  check_dtype(v, DType::i32, kernel, what);
  check_packed(v, kernel, what);
}

constexpr std::int64_t ceil_div(std::int64_t a, std::int64_t b) {
  return (a + b - 1) / b;
}

}  // namespace mantissa
