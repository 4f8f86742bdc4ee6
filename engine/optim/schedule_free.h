#pragma once

#include <array>
#include <cstdint>

#include "kernels/view.h"

namespace mantissa {

/// The weights of a schedule-free average (arXiv 2405.15682): the point z of update t enters the
/// average x with c = w/Σw, w the square of the update's rate. The shares of an optimizer group on
/// several devices have one.
class ScheduleFreeSums {
 public:
  /// `largest`: w is the square of the largest rate so far.
  explicit ScheduleFreeSums(bool largest) : largest_(largest) {}

  /// c of the update after those counted, at this rate.
  double next(double rate) const;
  /// Counts update `number`, once for all shares, and returns its c.
  double count(std::int64_t number, double rate);

  /// [3] fp64: Σw, the largest rate and the number of the last update, for checkpoints.
  View state() { return View(values_.data(), DType::f64, {3}); }

 private:
  double weight(double rate) const;

  bool largest_;
  std::array<double, 3> values_{};
};

}  // namespace mantissa
