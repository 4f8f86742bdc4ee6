#pragma once
// defines: UpdateMeter: how far a step moved the parameters, and what rounding swallowed

#include <vector>

#include "engine/train/run.h"
#include "engine/train/transaction.h"

namespace mantissa {

/// Measures every optimizer step on the host.
class UpdateMeter {
 public:
  /// What is referred to must outlive this; the groups' buffers stay where they are.
  UpdateMeter(Kernels& kernels, const std::vector<OptimizerPart>& groups,
              const Preset::Precision& precision);

  /// Before the step: keeps the parameters.
  void before();
  /// After it, of the groups that stepped:
  /// - lost_update: of the elements with a gradient, the share that did not move. Stochastic
  ///   rounding loses none, as an element that stays moves by as much on average; nor does Kahan
  ///   summation as long as the compensation takes the update up.
  /// - update_ratio: RMS(Δw) / RMS(w).
  void after(const StepOutcome& outcome, StepRecord& record);
  /// The lost updates of the newest step by group and by the tensors of its optimizer.
  const std::vector<std::vector<double>>& lost_by_tensor() const { return lost_; }

 private:
  std::vector<float> masters(const OptimizerPart& group) const;

  Kernels& kernels_;
  const std::vector<OptimizerPart>& groups_;
  bool stochastic_;
  std::vector<std::vector<float>> previous_;
  std::vector<std::vector<double>> lost_;
};

}  // namespace mantissa
