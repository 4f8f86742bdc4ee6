#pragma once
// Operands of an optimizer step. Parameters are fp32 or bf16, gradients fp32, bf16 or fp16, moments
// fp32, bf16 or 8-bit; each of the three is chosen freely. The math is fp32, and each result is
// rounded once. Views are contiguous.

#include <array>
#include <cstdint>

#include "kernels/philox.h"
#include "kernels/step_end.h"
#include "kernels/view.h"

namespace mantissa {

/// Elementwise rules. g is the gradient times grad_scale, η the learning rate times the tensor's
/// rate_ratio, λ the weight decay.
enum class UpdateRule : std::uint8_t {
  adamw,  ///< m=β₁m+(1-β₁)g; v=β₂v+(1-β₂)g²; p -= η(λp + m̂/(√v̂+ε)) (arXiv 1711.05101)
  lion,     ///< p -= η(sign(β₁m+(1-β₁)g)+λp), then m=β₂m+(1-β₂)g (arXiv 2302.06675)
  sgd,      ///< m=β₁m+g; p -= η(m+λp)
  prodigy,  ///< p -= η(m/(√v+ε)+λp), moments left as prodigy_observe wrote them
  /// AdamW without first moment, schedule-free (arXiv 2405.15682). p is y, where gradients are
  /// taken; m is x-y, x the average that is kept in the end; u=g/(√v̂+ε)+λy, c the averaging:
  /// y -= cβ₁/(1-β₁)·m + η(1-β₁(1-c))u; m=(1-c)(m+(1-β₁)ηu).
  schedule_free,
  /// schedule_free with u=f·g/(√v+ε)+λy, f the tensor's factor, v left as prodigy_observe wrote it.
  prodigy_schedule_free,
  direction  ///< p -= η(f·g+λp): the gradient is a direction, without moments and grad_scale
};

/// All of them.
inline constexpr std::array kUpdateRules{
    UpdateRule::adamw,    UpdateRule::lion,          UpdateRule::sgd,
    UpdateRule::prodigy,  UpdateRule::schedule_free, UpdateRule::prodigy_schedule_free,
    UpdateRule::direction};

/// Rules that keep the second moment of a matrix as a row and a column.
enum class FactoredRule : std::uint8_t { adafactor, came, automagic };

/// All of them.
inline constexpr std::array kFactoredRules{FactoredRule::adafactor, FactoredRule::came,
                                           FactoredRule::automagic};

/// How the fp32 update is applied to a bf16 parameter. bf16 moments are always rounded
/// stochastically.
enum class Rounding : std::uint8_t { nearest, stochastic, kahan };

/// Elements that share one absmax in an 8-bit moment.
inline constexpr std::int64_t kMomentBlock = 256;

/// A moment: fp32 or bf16 [n]; or uint8 [n], codes of the dynamic map (dynamic_map.h), with absmax
/// fp32 [ceil(n / 256)] (arXiv 2110.02861).
struct MomentView {
  View values;
  View absmax;
};

/// One tensor of an elementwise update; all its views have n elements.
struct ParameterUpdate {
  View parameter;
  View gradient;
  View compensation;       ///< bf16, with Rounding::kahan
  MomentView m;            ///< signed; not with direction
  MomentView v;            ///< never negative; only of rules with a second moment
  MomentView s;            ///< signed; prodigy_observe
  View start;              ///< p₀ in the parameter's dtype; prodigy_observe
  double rate_ratio = 1;   ///< its learning rate over the options'
  std::int64_t first = 0;  ///< number of its first element in the streams of random bits
  double factor = 1;       ///< f of its update, of prodigy_schedule_free and direction
};

struct UpdateOptions {
  UpdateRule rule = UpdateRule::adamw;
  double learning_rate = 0;  ///< Prodigy: d times its own
  double beta1 = 0.9, beta2 = 0.999, eps = 1e-8, weight_decay = 0;
  double grad_scale = 1;                    ///< multiplies each gradient first (unscale and clip)
  double correction1 = 1, correction2 = 1;  ///< 1 - βᵗ, for rules with a bias correction
  double averaging = 0;                     ///< c of the schedule-free rules
  Rounding rounding = Rounding::nearest;
  /// Stochastic rounding: `sample` + 0 rounds parameters, + 1 m, + 2 v, + 3 s.
  RandomKey key;
  /// A GroupCell in the backend's memory, or absent. It then decides whether anything is updated,
  /// and overrides learning_rate, grad_scale, the corrections, averaging and the key's step.
  View cell;
};

/// arXiv 2306.06101: s=β₃s+gain·g; m=β₁m+(1-β₁)d·g; v=β₂v+(1-β₂)d²g².
struct ProdigyOptions {
  /// m is the schedule-free x-y, and stays; the path is that of z = y+(y-x)β₁/(1-β₁).
  bool schedule_free = false;
  double beta1 = 0.9, beta2 = 0.999, beta3 = 0.9995;
  double eps = 0;  ///< schedule-free: of u=d·g/(√v+ε), times d
  double d = 1e-6;
  double gain = 0;  ///< (d/d₀)·d·η
  double grad_scale = 1;
  RandomKey key;  ///< as in UpdateOptions
};

struct ProdigySums {
  double agreement = 0;  ///< Σ g·(p₀-p), schedule-free g·(p₀-z)
  double path = 0;       ///< Σ |s|
};

/// One tensor of a factored update. A matrix [rows, cols] has `row` and `col`; a vector [n] keeps
/// `square` instead (and CAME no residual). All these are fp32.
struct FactoredUpdate {
  View parameter, gradient;
  View compensation;
  View row, col;                    ///< [rows], [cols]
  View square;                      ///< [n]
  MomentView m;                     ///< CAME, signed; Automagic: each element's rate
  View residual_row, residual_col;  ///< CAME
  double rate_ratio = 1;            ///< as in ParameterUpdate
  std::int64_t first = 0;
};

/// Adafactor (arXiv 1804.04235): R, C = EMA of the row and column means of g²+eps; V=RCᵀ/mean(R);
/// u=g/√V; u /= max(1, RMS(u)/threshold); p -= η(u+λp). CAME (arXiv 2307.02047): m=EMA(u, β₁);
/// I = factored EMA((u-m)²+residual_eps, β₃); p -= η(m/√I+λp). Automagic (AI Toolkit): Adafactor's
/// u with a fixed β₂ and a rate r for each element, which begins at `start`; p -=
/// (η/start)·r(u+λp).
struct FactoredOptions {
  FactoredRule rule = FactoredRule::adafactor;
  double learning_rate = 0;
  double beta1 = 0.9, beta2 = 0.999, beta3 = 0.9999;  ///< Adafactor: beta2 = 1-t^-0.8 of this step
  double eps = 1e-30, residual_eps = 1e-16, threshold = 1, weight_decay = 0;
  double start = 1e-6;  ///< Automagic: the rate of each element before the first step
  double grad_scale = 1;
  Rounding rounding = Rounding::nearest;
  RandomKey key;  ///< as in UpdateOptions
  View cell;      ///< as in UpdateOptions; its averaging overrides beta2
};

/// The direction of one matrix before Muon makes it orthogonal; views of one shape.
struct MuonUpdate {
  View gradient;           ///< fp32, bf16 or fp16
  MomentView m;            ///< signed
  View direction;          ///< fp32, written
  std::int64_t first = 0;  ///< as in ParameterUpdate
};

/// m=β₁m+(1-β₁)g; u=β₁m+(1-β₁)g, Nesterov's; direction = u/max(‖u‖, ε).
struct MuonOptions {
  double beta1 = 0.95, eps = 1e-7;
  double grad_scale = 1;
  RandomKey key;  ///< as in UpdateOptions
  View cell;      ///< as in UpdateOptions
};

/// How far a step moved the elements of a tensor.
struct Movement {
  double moved = 0;                ///< Σ (after - before)²
  double size = 0;                 ///< Σ after²
  std::int64_t with_gradient = 0;  ///< elements with a nonzero gradient
  std::int64_t unmoved = 0;        ///< of those, unchanged
};

}  // namespace mantissa
