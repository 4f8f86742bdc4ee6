#pragma once

#include <cstdint>
#include <string_view>

#include "engine/core/fields.h"
#include "engine/precision/health.h"

namespace mantissa {

/// Figures of a tensor on the command line, in JSON and in CSV. Shares are of its finite nonzero
/// values.
struct HealthFigures {
  std::string_view layer, tensor, format;
  std::int64_t values, zeros, non_finite;
  double underflow, subnormal, overflow;
  double amax;
  double headroom;  ///< doublings; infinite if all is zero
  double sqnr;      ///< dB; infinite if nothing is lost
  double drift;     ///< HealthKind::magnitude: mean |m/‖W‖ - 1|; NaN for the rest

  static constexpr auto fields() {
    using F = HealthFigures;
    return field_list(
        Field{"layer", &F::layer}, Field{"tensor", &F::tensor}, Field{"format", &F::format},
        Field{"values", &F::values}, Field{"zeros", &F::zeros}, Field{"non_finite", &F::non_finite},
        Field{"underflow", &F::underflow}, Field{"subnormal", &F::subnormal},
        Field{"overflow", &F::overflow}, Field{"amax", &F::amax}, Field{"headroom", &F::headroom},
        Field{"sqnr", &F::sqnr}, Field{"drift", &F::drift});
  }
};

/// Names point into `row`.
inline HealthFigures health_figures(const HealthRow& row) {
  const TensorStatistics& s = row.statistics;
  return {.layer = row.layer,
          .tensor = health_kind_name(row.kind),
          .format = dtype_name(row.format),
          .values = s.count,
          .zeros = s.zeros,
          .non_finite = s.non_finite,
          .underflow = s.share(s.underflow),
          .subnormal = s.share(s.subnormal),
          .overflow = s.share(s.overflow),
          .amax = s.amax,
          .headroom = s.headroom(row.format),
          .sqnr = s.sqnr(),
          .drift = row.drift};
}

}  // namespace mantissa
