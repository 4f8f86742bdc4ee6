#pragma once

#include <cstdint>

#include "kernels/cpu/backend.h"

namespace mantissa::MANTISSA_ISA {

/// Operands of Kernels::matmul_codes over int8.
struct Int8Product {
  View a, b;  ///< [m, k]; [n, k] if transpose_b, else [k, n]
  const float* a_scale;
  const float* b_scale;  ///< or null
  View bias, addend, out;
  std::int64_t m, n, k;
  float beta;
  bool transpose_b, scale_by_row;
};
/// Products of int8 codes are added up exactly in 32 bits.
void multiply_int8(ThreadPool& pool, Scratch& scratch, const Int8Product& product);

}  // namespace mantissa::MANTISSA_ISA
