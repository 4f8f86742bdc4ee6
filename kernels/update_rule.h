#pragma once
// The formulas of update.h, once for all backends.
//
// V is a scalar or a SIMD register with + - * /, fma, vsqrt and select_negative(x, a, b) (a where x
// < 0, else b). Each operation is rounded to fp32 separately, so that updates are bit-identical on
// every backend.

#include <cmath>

#include "kernels/host_device.h"
#include "kernels/update.h"

namespace mantissa {

constexpr bool has_second_moment(UpdateRule rule) {
  return rule == UpdateRule::adamw || rule == UpdateRule::prodigy;
}

/// False if another call updates the moments.
constexpr bool moves_moments(UpdateRule rule) {
  return rule != UpdateRule::prodigy;
}

/// Calls f<rule>().
template <typename F>
void dispatch_rule(UpdateRule rule, F&& f) {
  switch (rule) {
    case UpdateRule::adamw:
      return f.template operator()<UpdateRule::adamw>();
    case UpdateRule::lion:
      return f.template operator()<UpdateRule::lion>();
    case UpdateRule::sgd:
      return f.template operator()<UpdateRule::sgd>();
    case UpdateRule::prodigy:
      return f.template operator()<UpdateRule::prodigy>();
  }
}

/// The numbers of one tensor's step, rounded once from the options' fp64.
template <typename V>
struct UpdateConstants {
  UpdateConstants(const UpdateOptions& o, double rate_ratio)
      : grad_scale(static_cast<float>(o.grad_scale)),
        beta1(static_cast<float>(o.beta1)),
        rest1(static_cast<float>(1.0 - o.beta1)),
        beta2(static_cast<float>(o.beta2)),
        rest2(static_cast<float>(1.0 - o.beta2)),
        eps(static_cast<float>(o.eps)),
        learning_rate(static_cast<float>(o.learning_rate * rate_ratio)),
        decay(static_cast<float>(o.weight_decay)),
        inverse1(static_cast<float>(1.0 / o.correction1)),
        inverse2(static_cast<float>(1.0 / std::sqrt(o.correction2))) {}
  /// Overrides the options with the step's cell.
  MANTISSA_HD void take(const GroupCell& cell, double rate_ratio) {
    grad_scale = V(static_cast<float>(cell.grad_scale));
    learning_rate = V(static_cast<float>(cell.learning_rate * rate_ratio));
    inverse1 = V(static_cast<float>(1.0 / cell.correction1));
    inverse2 = V(static_cast<float>(1.0 / std::sqrt(cell.correction2)));
  }
  V grad_scale, beta1, rest1, beta2, rest2, eps, learning_rate, decay, inverse1, inverse2;
};

/// Updates the moments and returns the parameter's change.
template <UpdateRule kRule, typename V>
MANTISSA_HD inline V apply_rule(const UpdateConstants<V>& c, V p, V gradient, V& m, V& v) {
  const V zero(0.0F), g = gradient * c.grad_scale;
  V u(0.0F);
  if constexpr (kRule == UpdateRule::adamw) {
    m = fma(c.beta1, m, c.rest1 * g);
    v = fma(c.beta2, v, c.rest2 * g * g);
    u = m * c.inverse1 / fma(vsqrt(v), c.inverse2, c.eps);
  } else if constexpr (kRule == UpdateRule::lion) {
    const V x = fma(c.beta1, m, c.rest1 * g);
    const V sign = select_negative(x, V(-1.0F), select_negative(zero - x, V(1.0F), zero));
    u = fma(x, zero, sign);  // NaN propagates
    m = fma(c.beta2, m, c.rest2 * g);
  } else if constexpr (kRule == UpdateRule::sgd) {
    m = fma(c.beta1, m, g);
    u = m;
  } else {
    static_assert(kRule == UpdateRule::prodigy);
    u = m / (vsqrt(v) + c.eps);
  }
  return zero - c.learning_rate * fma(c.decay, p, u);
}

/// The numbers of prodigy_observe.
template <typename V>
struct ObserveConstants {
  explicit ObserveConstants(const ProdigyOptions& o)
      : grad_scale(static_cast<float>(o.grad_scale)),
        beta1(static_cast<float>(o.beta1)),
        beta2(static_cast<float>(o.beta2)),
        beta3(static_cast<float>(o.beta3)),
        gain1(static_cast<float>(o.d * (1.0 - o.beta1))),
        gain2(static_cast<float>(o.d * o.d * (1.0 - o.beta2))),
        gain3(static_cast<float>(o.gain)) {}
  V grad_scale, beta1, beta2, beta3, gain1, gain2, gain3;
};

/// Updates Prodigy's state.
template <typename V>
MANTISSA_HD inline void observe(const ObserveConstants<V>& c, V gradient, V& m, V& v, V& s) {
  const V g = gradient * c.grad_scale;
  m = fma(c.beta1, m, c.gain1 * g);
  v = fma(c.beta2, v, c.gain2 * g * g);
  s = fma(c.beta3, s, c.gain3 * g);
}

}  // namespace mantissa
