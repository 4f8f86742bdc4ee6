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

constexpr bool has_first_moment(UpdateRule rule) {
  return rule != UpdateRule::direction;
}
constexpr bool has_second_moment(UpdateRule rule) {
  return rule == UpdateRule::adamw || rule == UpdateRule::prodigy ||
         rule == UpdateRule::schedule_free || rule == UpdateRule::prodigy_schedule_free;
}

/// False if prodigy_observe precedes the rule.
constexpr bool stands_alone(UpdateRule rule) {
  return rule != UpdateRule::prodigy && rule != UpdateRule::prodigy_schedule_free;
}
/// Whether the rule updates m.
constexpr bool moves_first(UpdateRule rule) {
  return has_first_moment(rule) && rule != UpdateRule::prodigy;
}
/// Whether the rule updates v.
constexpr bool moves_second(UpdateRule rule) {
  return has_second_moment(rule) && stands_alone(rule);
}
constexpr bool is_schedule_free(UpdateRule rule) {
  return rule == UpdateRule::schedule_free || rule == UpdateRule::prodigy_schedule_free;
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
    case UpdateRule::schedule_free:
      return f.template operator()<UpdateRule::schedule_free>();
    case UpdateRule::prodigy_schedule_free:
      return f.template operator()<UpdateRule::prodigy_schedule_free>();
    case UpdateRule::direction:
      return f.template operator()<UpdateRule::direction>();
  }
}

/// The numbers of one tensor's step, rounded once from the options' fp64.
template <typename V>
struct UpdateConstants {
  UpdateConstants(const UpdateOptions& o, double rate_ratio, double tensor_factor)
      : grad_scale(static_cast<float>(o.grad_scale)),
        beta1(static_cast<float>(o.beta1)),
        rest1(static_cast<float>(1.0 - o.beta1)),
        beta2(static_cast<float>(o.beta2)),
        rest2(static_cast<float>(1.0 - o.beta2)),
        eps(static_cast<float>(o.eps)),
        decay(static_cast<float>(o.weight_decay)),
        inverse1(static_cast<float>(1.0 / o.correction1)),
        inverse2(static_cast<float>(1.0 / std::sqrt(o.correction2))),
        averaging(o.averaging),
        exact_beta1(o.beta1) {
    take_tensor(o.learning_rate * rate_ratio, tensor_factor);
  }
  /// Overrides the options with the step's cell.
  MANTISSA_HD void take(const GroupCell& cell) {
    grad_scale = V(static_cast<float>(cell.grad_scale));
    inverse1 = V(static_cast<float>(1.0 / cell.correction1));
    inverse2 = V(static_cast<float>(1.0 / std::sqrt(cell.correction2)));
    averaging = cell.averaging;
  }
  /// A tensor's own learning rate and factor.
  MANTISSA_HD void take_tensor(double rate, double tensor_factor) {
    learning_rate = V(static_cast<float>(rate));
    factor = V(static_cast<float>(tensor_factor));
    keep = V(static_cast<float>(1.0 - averaging));
    pull = V(static_cast<float>(averaging * exact_beta1 / (1.0 - exact_beta1)));
    step_y = V(static_cast<float>(rate * (1.0 - exact_beta1 * (1.0 - averaging))));
    step_m = V(static_cast<float>(rate * (1.0 - exact_beta1)));
  }
  V grad_scale, beta1, rest1, beta2, rest2, eps, decay, inverse1, inverse2;
  V learning_rate, factor;
  V keep, pull, step_y, step_m;  ///< schedule-free: 1-c, cβ₁/(1-β₁), η(1-β₁(1-c)), (1-β₁)η
  double averaging, exact_beta1;
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
  } else if constexpr (kRule == UpdateRule::prodigy) {
    u = m / (vsqrt(v) + c.eps);
  } else if constexpr (kRule == UpdateRule::direction) {
    u = c.factor * gradient;
  } else {
    static_assert(is_schedule_free(kRule));
    if constexpr (kRule == UpdateRule::schedule_free) {
      v = fma(c.beta2, v, c.rest2 * g * g);
      u = fma(c.decay, p, g / fma(vsqrt(v), c.inverse2, c.eps));
    } else {
      u = fma(c.decay, p, c.factor * g / (vsqrt(v) + c.eps));
    }
    const V change = zero - fma(c.pull, m, c.step_y * u);
    m = c.keep * fma(c.step_m, u, m);
    return change;
  }
  return zero - c.learning_rate * fma(c.decay, p, u);
}

/// Automagic's rate of an element, with the sign of its last update; 0 before the first step, whose
/// last sign counts as negative. It grows by a fixed step where the signs agree, else shrinks by
/// it.
template <typename V>
MANTISSA_HD inline V move_rate(V rate, V u, V start) {
  const V zero(0.0F), step(1e-6F), least(1e-7F), usual_most(1e-3F);
  const V before = select_negative(rate, zero - rate, select_negative(zero - rate, rate, start));
  const V last = select_negative(zero - rate, V(1.0F), V(-1.0F)),
          sign = select_negative(zero - u, V(1.0F), V(-1.0F)),
          most = select_negative(usual_most - start, start, usual_most);
  const V moved = before + last * sign * step;
  const V raised = select_negative(moved - least, least, moved);
  return sign * select_negative(most - raised, most, raised);
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
        scale(static_cast<float>(o.d)),
        eps(static_cast<float>(o.d * o.eps)),
        beyond(static_cast<float>(o.beta1 / (1.0 - o.beta1))),
        gain2(static_cast<float>(o.d * o.d * (1.0 - o.beta2))),
        gain3(static_cast<float>(o.gain)) {}
  V grad_scale, beta1, beta2, beta3, gain1;
  V scale, eps, beyond;  ///< schedule-free: d, d·ε, β₁/(1-β₁)
  V gain2, gain3;
};

/// Updates Prodigy's state.
template <typename V>
MANTISSA_HD inline void observe(const ObserveConstants<V>& c, V gradient, V& m, V& v, V& s) {
  const V g = gradient * c.grad_scale;
  m = fma(c.beta1, m, c.gain1 * g);
  v = fma(c.beta2, v, c.gain2 * g * g);
  s = fma(c.beta3, s, c.gain3 * g);
}

/// Updates the state of the schedule-free Prodigy, and returns u.
template <typename V>
MANTISSA_HD inline V observe_schedule_free(const ObserveConstants<V>& c, V gradient, V& v, V& s) {
  const V g = gradient * c.grad_scale;
  v = fma(c.beta2, v, c.gain2 * g * g);
  s = fma(c.beta3, s, c.gain3 * g);
  return c.scale * g / (vsqrt(v) + c.eps);
}
/// The path's point: y, or the schedule-free z.
template <typename V>
MANTISSA_HD inline V schedule_free_z(const ObserveConstants<V>& c, V y, V m) {
  return y - c.beyond * m;
}

}  // namespace mantissa
