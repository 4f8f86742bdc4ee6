#pragma once
// How far a step moved the parameters, and how much was lost to rounding.

#include <optional>
#include <vector>

#include "engine/graph/device_values.h"
#include "engine/optim/transaction.h"
#include "engine/run/run.h"

namespace mantissa {

/// Measures every optimizer step.
class UpdateMeter {
 public:
  /// References must outlive this; the groups' buffers must not move.
  UpdateMeter(const std::vector<OptimizerPart>& groups, const Preset::Precision& precision);

  /// Before the step: copies the parameters.
  void before();
  /// Takes the memory for `after`.
  void warm_up();
  /// After it, of the groups that stepped:
  /// - lost_update: of the elements with a gradient, the share that did not move. Stochastic
  ///   rounding loses none, as an unchanged element moves by the same amount on average; nor does
  ///   Kahan summation as long as the compensation absorbs the update.
  /// - update_ratio: RMS(Δw) / RMS(w).
  void after(const StepOutcome& outcome, StepRecord& record);
  /// The lost updates of the latest step by group and by the tensors of its optimizer.
  const std::vector<std::vector<double>>& lost_by_tensor() const { return lost_; }

 private:
  struct Room {
    std::optional<DeviceArray> masters, held;
  };
  /// The group's parameters in fp32, with their Kahan compensation: themselves if fp32, else
  /// computed in `room`.
  View masters(const OptimizerPart& group, Room& room) const;

  const std::vector<OptimizerPart>& groups_;
  bool stochastic_;
  std::vector<DeviceArray> previous_;  ///< by group
  std::vector<Room> room_;             ///< by group
  std::vector<std::vector<double>> lost_;
};

}  // namespace mantissa
