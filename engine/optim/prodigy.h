#pragma once

#include <array>
#include <memory>
#include <vector>

#include "engine/optim/optimizer.h"
#include "engine/optim/schedule_free.h"
#include "kernels/kernels.h"

namespace mantissa {

/// Prodigy's estimate d of the distance to the solution (arXiv 2306.06101), shared by all
/// optimizers that hold this object: r = β₃r + Σ(d/d₀)dη⟨g, p₀-p⟩, d' = max(d,
/// d_coef·r/Σ‖s‖₁). `limited`, as prodigy-plus-schedule-free has it: the first factor of d' grows
/// by at most 2^¼ a step, and until d has moved r takes no negative share.
class ProdigyScale {
 public:
  static constexpr double kStart = 1e-6;  ///< d₀
  explicit ProdigyScale(double d_coef = 1, bool limited = false)
      : d_coef_(d_coef), limited_(limited) {}

  double d() const { return values_[0]; }
  /// (d/d₀)·d·η of the update that has begun.
  double gain(double learning_rate) const { return d() / kStart * d() * learning_rate; }
  /// One optimizer's share of the sums.
  void add(const ProdigySums& sums, double gain, double beta3);
  /// Sets the next d once all shares are in; further calls have no effect until the next share.
  void settle();
  /// d before `settle`, used by this update's rate.
  double previous_d() const { return previous_; }
  /// False while all gradients are zero: nothing is updated.
  bool moves() const { return moves_; }

  /// [2] fp64: d and r, for checkpoints.
  View state() { return View(values_.data(), DType::f64, {2}); }

 private:
  std::array<double, 2> values_{kStart, 0.0};
  double d_coef_;
  bool limited_;
  double previous_ = kStart, agreement_ = 0, path_ = 0, beta3_ = 1;
  bool pending_ = false, moves_ = false;
};

/// `scale`: the estimate to share, `sums`: of the group's schedule-free average; null: its own.
std::unique_ptr<Optimizer> make_prodigy(Kernels& kernels, const OptimizerSettings& settings,
                                        std::vector<OptimizerTensor> tensors,
                                        std::shared_ptr<ProdigyScale> scale,
                                        std::shared_ptr<ScheduleFreeSums> sums);

}  // namespace mantissa
