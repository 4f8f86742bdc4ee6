#pragma once

#include <cstdint>
#include <optional>

#include "engine/run/run_parts.h"
#include "engine/run/training_state.h"
#include "engine/train/live_health.h"
#include "engine/train/micro_steps.h"

namespace mantissa {

/// Watches a run's numbers: layer statistics every few steps, and the origin of NaN or infinity
/// when a step is skipped or the run must stop.
class HealthMonitor {
 public:
  HealthMonitor(const RunParts& parts, const TrainingState& state, MicroSteps& steps)
      : parts_(parts),
        state_(state),
        steps_(steps),
        layers_(parts.adapters, parts.plan.job.health_every) {}

  /// Before the first step of a run: the statistics of the stored frozen weights.
  void record_weights();
  /// Takes the memory for measuring layers, without measuring any.
  void warm_up();
  /// Whether step `step` (from 1) is one whose layers are measured.
  bool due(std::int64_t step) const { return layers_.due(step); }
  /// Around one run of `program`, whose layers are recorded.
  void start(StepProgram& program) { layers_.start(program); }
  void stop(StepProgram& program) { layers_.stop(program); }
  /// Once the gradients of step `step` are complete: reports those layers.
  void finish(std::int64_t step);

  /// Logs why a step was skipped. The first of consecutive skips reports the cause; skips that only
  /// adjust the loss scale are no fault.
  void explain_skip(const StepRecord& record, const StepOutcome& outcome);
  /// S14, for a loss that isn't finite.
  [[noreturn]] void stop_on_loss(const StepInputs& inputs, std::int64_t micro_step);
  /// Throws S11 if skipped steps don't end.
  void check_skips(const StepOutcome& outcome) const;
  /// After the first update: reports a part without gradients (S8); throws D4 if magnitudes are
  /// frozen.
  void check_reach(const StepOutcome& outcome) const;

 private:
  /// Runs micro-steps again on the same inputs, each up to the first tensor that is not finite.
  /// Leaves the adapters' gradients undefined.
  std::optional<NonFiniteReport> find_non_finite(std::int64_t first, std::int64_t count,
                                                 double loss_scale);

  RunParts parts_;
  const TrainingState& state_;
  MicroSteps& steps_;
  LiveHealth layers_;
  std::optional<NonFiniteReport> non_finite_;  ///< the latest found
};

}  // namespace mantissa
