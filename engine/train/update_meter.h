#pragma once
// How far a step moved the parameters, and what rounding swallowed.

#include <optional>
#include <vector>

#include "engine/graph/device_values.h"
#include "engine/optim/transaction.h"
#include "engine/train/run.h"

namespace mantissa {

/// Measures every optimizer step.
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
  struct Room {
    std::optional<DeviceArray> masters, held;
  };
  /// The group's parameters in fp32, with what Kahan summation holds back for them: themselves
  /// where they are that, else made in `room`.
  View masters(const OptimizerPart& group, Room& room) const;

  Kernels& kernels_;
  const std::vector<OptimizerPart>& groups_;
  bool stochastic_;
  std::vector<DeviceArray> previous_;  ///< by group
  std::vector<Room> room_;             ///< by group
  std::vector<std::vector<double>> lost_;
};

}  // namespace mantissa
