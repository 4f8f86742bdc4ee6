#pragma once
// The formulas of MuonOptions, once for all backends; V as in update_rule.h.

#include <cmath>

#include "kernels/host_device.h"
#include "kernels/update.h"

namespace mantissa {

/// The numbers of muon_direction, rounded once.
template <typename V>
struct MuonConstants {
  explicit MuonConstants(const MuonOptions& o)
      : grad_scale(static_cast<float>(o.grad_scale)),
        beta1(static_cast<float>(o.beta1)),
        rest1(static_cast<float>(1.0 - o.beta1)) {}
  V grad_scale, beta1, rest1;
};

/// Updates the momentum and returns u.
template <typename V>
MANTISSA_HD inline V muon_direction(const MuonConstants<V>& c, V gradient, V& m) {
  const V g = c.rest1 * (gradient * c.grad_scale);
  m = fma(c.beta1, m, g);
  return fma(c.beta1, m, g);
}

/// 1/max(‖u‖, ε) from Σu².
MANTISSA_HD inline float muon_factor(double squares, double eps) {
  const double norm = std::sqrt(squares);
  return static_cast<float>(1.0 / (norm < eps ? eps : norm));  // NaN propagates
}

}  // namespace mantissa
