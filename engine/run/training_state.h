#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <vector>

#include "engine/adapters/trained_set.h"
#include "engine/graph/device_values.h"
#include "engine/nn/fp8_scales.h"
#include "engine/optim/transaction.h"
#include "engine/precision/loss_scaler.h"
#include "engine/run/checkpoint.h"

namespace mantissa {

/// The mutable state of a run: the parameters with their optimizers and averages, the loss scale,
/// and its progress. Saved in checkpoints and restored on resume.
class TrainingState {
 public:
  /// At step 0, with finalized adapters. References must outlive this.
  TrainingState(const Preset& preset, const TrainedSet& adapters, Fp8Scales& fp8_scales);

  std::vector<OptimizerPart> groups;
  LossScaler scaler;
  std::int64_t step = 0;          ///< optimizer steps attempted
  std::int64_t updates = 0;       ///< of these, those that updated the weights
  std::int64_t skips_in_row = 0;  ///< latest consecutive steps that did not
  /// Loss of the step before; NaN where this process has taken none.
  double last_loss = std::numeric_limits<double>::quiet_NaN();

  /// Updates the averages of the groups that stepped, with training.ema.
  void average(const StepOutcome& outcome);
  /// The averaged parameters by buffer, empty without training.ema: of the matrices or weights, or
  /// of the magnitudes.
  FlatValues averaged(bool magnitudes) const;
  /// Calls `use` while the averages, if any, replace the parameters: those of training.ema and of
  /// schedule-free optimizers.
  void with_averages(const std::function<void()>& use);
  /// As above for schedule-free optimizers alone, whose averages are what is saved, sampled and
  /// validated.
  void with_schedule_free(const std::function<void()>& use);

  /// Every buffer saved in a checkpoint, by name.
  std::vector<NamedBuffer> buffers();
  /// Fills in a checkpoint's state apart from the buffers.
  void describe(CheckpointState& state) const;
  /// Restores a checkpoint whose buffers were read into these. Throws Error naming its file and the
  /// field that doesn't fit this run.
  void restore(const CheckpointState& saved, const std::filesystem::path& checkpoint);

 private:
  Fp8Scales& fp8_scales_;
  double decay_;  ///< training.ema
  /// By group: the average, with training.ema unless the group's optimizer averages by itself.
  std::vector<std::optional<DeviceArray>> averages_;
  /// By group: the parameters while the optimizer's average replaces them, if it has one.
  std::vector<std::optional<DeviceArray>> trained_;
  bool shows_average_ = false;
};

}  // namespace mantissa
