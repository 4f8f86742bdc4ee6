// Gated linear units; with codes for their results: glu_codes.cpp.
#include "kernels/check_glu.h"
#include "kernels/cpu/backend.h"
#include "kernels/cpu/gates.h"

namespace mantissa::MANTISSA_ISA {

void CpuKernels::glu(Unary kind, const View& gate, const View& value, const View& out) {
  check_glu(kind, gate, value, out);
  dispatch_float(gate.dtype, [&]<typename S>() {
    dispatch_gate(kind, [&]<Unary kKind>() {
      for_elements(pool_, {&gate, &value, &out},
                   [&](std::int64_t r, std::int64_t c, std::int64_t n) {
                     unit_values<kKind>(n, row_of<S>(gate, r) + c, row_of<S>(value, r) + c,
                                        row_of<S>(out, r) + c);
                   });
    });
  });
}

void CpuKernels::glu_backward(Unary kind, const View& d_out, const View& gate, const View& value,
                              const View& d_gate, const View& d_value) {
  check_glu_backward(kind, d_out, gate, value, d_gate, d_value);
  dispatch_float(gate.dtype, [&]<typename S>() {
    dispatch_gate(kind, [&]<Unary kKind>() {
      for_elements(pool_, {&gate, &value, &d_out, &d_gate, &d_value},
                   [&](std::int64_t r, std::int64_t c, std::int64_t n) {
                     unit_gradients<kKind>(n, row_of<S>(d_out, r) + c, row_of<S>(gate, r) + c,
                                           row_of<S>(value, r) + c, row_of<S>(d_gate, r) + c,
                                           row_of<S>(d_value, r) + c);
                   });
    });
  });
}

}  // namespace mantissa::MANTISSA_ISA
