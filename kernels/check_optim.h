#pragma once
// Argument checks of the optimizer ops, shared by all backends.

#include <initializer_list>
#include <span>
#include <string>

#include "kernels/check.h"
#include "kernels/update.h"
#include "kernels/update_rule.h"

namespace mantissa {

/// `n` packed elements.
inline void check_buffer(const View& v, std::int64_t n, const char* kernel, const char* what) {
  check_kernel(v.data != nullptr || n == 0, kernel,
               [&] { return std::string(what) + " has no data"; });
  check_kernel(v.count() == n, kernel, [&] {
    return std::string(what) + " must have " + std::to_string(n) + " elements; it has " +
           std::to_string(v.count());
  });
  check_packed(v, kernel, what);
}
inline void check_dtype_in(const View& v, std::initializer_list<DType> allowed, const char* kernel,
                           const char* what) {
  std::string names;
  for (DType d : allowed) {
    if (v.dtype == d) {
      return;
    }
    names += (names.empty() ? "" : " or ") + dtype_text(d);
  }
  check_kernel(false, kernel, [&] {
    return std::string(what) + " must be " + names + "; it is " + dtype_text(v.dtype);
  });
}
inline void check_moment(const MomentView& m, std::int64_t n, const char* kernel,
                         const char* what) {
  check_buffer(m.values, n, kernel, what);
  check_dtype_in(m.values, {DType::f32, DType::bf16, DType::u8}, kernel, what);
  if (m.values.dtype == DType::u8) {
    check_buffer(m.absmax, ceil_div(n, kMomentBlock), kernel, "absmax");
    check_dtype(m.absmax, DType::f32, kernel, "absmax");
  }
}
/// Parameter, gradient and compensation of one tensor.
inline void check_trained(const View& parameter, const View& gradient, const View& compensation,
                          Rounding rounding, const char* kernel) {
  const std::int64_t n = parameter.count();
  check_buffer(parameter, n, kernel, "parameter");
  check_dtype_in(parameter, {DType::f32, DType::bf16}, kernel, "parameter");
  check_buffer(gradient, n, kernel, "gradient");
  check_dtype_in(gradient, {DType::f32, DType::bf16, DType::f16}, kernel, "gradient");
  if (parameter.dtype == DType::bf16 && rounding == Rounding::kahan) {
    check_buffer(compensation, n, kernel, "compensation");
    check_dtype(compensation, DType::bf16, kernel, "compensation");
  }
}

/// A GroupCell, or nothing.
inline void check_cell(const View& cell, const char* kernel) {
  if (cell.data != nullptr) {
    check_buffer(cell, kCellNumbers, kernel, "cell");
    check_dtype(cell, DType::f64, kernel, "cell");
  }
}

inline void check_decide_step(std::span<const View> gradients, const View& loss,
                              const View& cells) {
  const char* kernel = "decide_step";
  for (const View& g : gradients) {
    check_buffer(g, g.count(), kernel, "a gradient");
    check_float(g, kernel, "a gradient");
  }
  if (loss.data != nullptr) {
    check_buffer(loss, 1, kernel, "loss");
    check_dtype(loss, DType::f32, kernel, "loss");
  }
  check_buffer(cells, cells_shape(gradients.size()).count(), kernel, "cells");
  check_dtype(cells, DType::f64, kernel, "cells");
}

inline void check_optimizer_step(std::span<const ParameterUpdate> tensors, const UpdateOptions& o) {
  const char* kernel = "optimizer_step";
  for (const ParameterUpdate& t : tensors) {
    check_trained(t.parameter, t.gradient, t.compensation, o.rounding, kernel);
    if (has_first_moment(o.rule)) {
      check_moment(t.m, t.parameter.count(), kernel, "m");
    }
    if (has_second_moment(o.rule)) {
      check_moment(t.v, t.parameter.count(), kernel, "v");
    }
  }
  check_cell(o.cell, kernel);
  check_kernel(o.correction1 > 0.0 && o.correction2 > 0.0, kernel,
               "the bias corrections 1 - beta^t must be positive");
}

inline void check_prodigy_observe(std::span<const ParameterUpdate> tensors, const ProdigyOptions& o,
                                  std::span<const double> squares) {
  const char* kernel = "prodigy_observe";
  check_kernel(squares.size() == (o.schedule_free ? tensors.size() : 0), kernel,
               "squares must have an element per tensor with schedule_free, else none");
  for (const ParameterUpdate& t : tensors) {
    const std::int64_t n = t.parameter.count();
    check_trained(t.parameter, t.gradient, {}, Rounding::nearest, kernel);
    check_moment(t.m, n, kernel, "m");
    check_moment(t.v, n, kernel, "v");
    check_moment(t.s, n, kernel, "s");
    check_buffer(t.start, n, kernel, "start");
    check_dtype(t.start, t.parameter.dtype, kernel, "start");
  }
}

inline void check_factored_step(std::span<const FactoredUpdate> tensors, const FactoredOptions& o) {
  const char* kernel = "factored_step";
  check_cell(o.cell, kernel);
  check_kernel(o.start > 0.0, kernel, "the rates must start above 0");
  const auto check_fp32 = [kernel](const View& v, std::int64_t n, const char* what) {
    check_buffer(v, n, kernel, what);
    check_dtype(v, DType::f32, kernel, what);
  };
  for (const FactoredUpdate& t : tensors) {
    check_trained(t.parameter, t.gradient, t.compensation, o.rounding, kernel);
    const bool matrix = t.row.data != nullptr;
    const std::int64_t rows = t.parameter.rows(), cols = t.parameter.cols();
    if (matrix) {
      check_fp32(t.row, rows, "row");
      check_fp32(t.col, cols, "col");
    } else {
      check_fp32(t.square, t.parameter.count(), "square");
    }
    if (o.rule != FactoredRule::adafactor) {
      check_moment(t.m, t.parameter.count(), kernel, "m");
    }
    if (o.rule == FactoredRule::came && matrix) {
      check_fp32(t.residual_row, rows, "residual_row");
      check_fp32(t.residual_col, cols, "residual_col");
    }
  }
}

inline void check_muon_direction(std::span<const MuonUpdate> tensors, const MuonOptions& o) {
  const char* kernel = "muon_direction";
  check_cell(o.cell, kernel);
  for (const MuonUpdate& t : tensors) {
    const std::int64_t n = t.gradient.count();
    check_buffer(t.gradient, n, kernel, "gradient");
    check_dtype_in(t.gradient, {DType::f32, DType::bf16, DType::f16}, kernel, "gradient");
    check_moment(t.m, n, kernel, "m");
    check_buffer(t.direction, n, kernel, "direction");
    check_dtype(t.direction, DType::f32, kernel, "direction");
  }
}

inline void check_measure_update(const View& before, const View& after, const View& gradient,
                                 std::span<const std::int64_t> ends,
                                 std::span<const Movement> result) {
  const char* kernel = "measure_update";
  check_dtype(before, DType::f32, kernel, "before");
  check_dtype(after, DType::f32, kernel, "after");
  check_shape(after, before.shape, kernel, "after");
  check_float(gradient, kernel, "gradient");
  check_shape(gradient, before.shape, kernel, "gradient");
  for (const View* v : {&before, &after, &gradient}) {
    check_packed(*v, kernel, "a view");
  }
  check_kernel(ends.size() == result.size() && (ends.empty() || ends.back() <= before.count()),
               kernel, "the tensors' ends don't fit the buffer");
}

inline void check_ema(const View& x, const View& average) {
  check_buffer(x, x.count(), "ema", "x");
  check_dtype_in(x, {DType::f32, DType::bf16}, "ema", "x");
  check_buffer(average, x.count(), "ema", "average");
  check_dtype(average, DType::f32, "ema", "average");
}

}  // namespace mantissa
