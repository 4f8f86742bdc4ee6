// Gated linear units whose results are codes at once, row by row.
#include <algorithm>

#include "kernels/check_glu.h"
#include "kernels/cpu/backend.h"
#include "kernels/cpu/encode.h"
#include "kernels/cpu/gates.h"
#include "kernels/weight_codes.h"

namespace mantissa::MANTISSA_ISA {

namespace {

/// Codes of a row that has a scale of its own; returns the scale.
template <typename F, typename S>
float encode_own(const S* row, const float* factor, std::int64_t n, std::uint8_t* to) {
  const float scale = code_scale(largest<F>(row, factor, n), CodeFormat<F>::kMax);
  encode_row<F>(row, factor, 1.0F / scale, n, to);
  return scale;
}

}  // namespace

void CpuKernels::glu_codes(Unary kind, const View& gate, const View& value, const View& codes,
                           const View& scale) {
  check_glu_codes(kind, gate, value, codes, scale);
  const std::int64_t cols = gate.cols();
  dispatch_unit_codes<float8_e4m3>(
      kind, gate.dtype, codes.dtype, [&]<Unary kKind, typename S, typename F>() {
        const auto some_rows = [&](std::int64_t begin, std::int64_t end, int thread) {
          S* row = static_cast<S*>(
              scratch_.of_thread(thread, static_cast<std::size_t>(cols) * sizeof(S)));
          for (std::int64_t r = begin; r < end; ++r) {
            unit_values<kKind>(cols, row_of<S>(gate, r), row_of<S>(value, r), row);
            scale.as<float>()[r] =
                encode_own<F>(row, nullptr, cols, codes.as<std::uint8_t>() + r * cols);
          }
        };
        for_ranges(pool_, gate.rows(), row_grain(cols), some_rows);
      });
}

void CpuKernels::glu_backward_codes(Unary kind, const View& d_out, const View& gate,
                                    const View& value, const View& column_factor,
                                    const View& d_gate, const View& d_value, const View& scale) {
  check_glu_backward_codes(kind, d_out, gate, value, column_factor, d_gate, d_value, scale);
  const float* factor = column_factor ? column_factor.as<float>() : nullptr;
  const std::int64_t cols = gate.cols();
  auto* codes = std::min(d_gate.as<std::uint8_t>(), d_value.as<std::uint8_t>());
  const std::int64_t gate_at = d_gate.as<std::uint8_t>() == codes ? 0 : cols;
  dispatch_unit_codes<float8_e5m2>(
      kind, gate.dtype, d_gate.dtype, [&]<Unary kKind, typename S, typename F>() {
        const auto some_rows = [&](std::int64_t begin, std::int64_t end, int thread) {
          S* row = static_cast<S*>(
              scratch_.of_thread(thread, static_cast<std::size_t>(2 * cols) * sizeof(S)));
          for (std::int64_t r = begin; r < end; ++r) {
            unit_gradients<kKind>(cols, row_of<S>(d_out, r), row_of<S>(gate, r),
                                  row_of<S>(value, r), row + gate_at, row + (cols - gate_at));
            scale.as<float>()[r] = encode_own<F>(row, factor, 2 * cols, codes + r * 2 * cols);
          }
        };
        for_ranges(pool_, gate.rows(), row_grain(2 * cols), some_rows);
      });
}

}  // namespace mantissa::MANTISSA_ISA
