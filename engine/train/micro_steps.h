#pragma once

#include <cstdint>
#include <map>
#include <memory>

#include "engine/programs/step_program.h"
#include "engine/run/run_parts.h"

namespace mantissa {

/// The objective's coefficients for a step's timesteps, with the preset's loss weights.
BatchCoefficients step_coefficients(const RunParts& parts, const StepInputs& inputs);

/// A run's micro-steps: their inputs, and one recorded program per shape.
class MicroSteps {
 public:
  explicit MicroSteps(const RunParts& parts) : parts_(parts) {}

  /// Optimizer steps of the run; may change during the run.
  std::int64_t steps() const;
  /// From the images, or from the replayed trace.
  StepInputs inputs(std::int64_t micro_step) const;
  /// Records the programs of all shapes, so that no step waits for it.
  void prepare();
  /// Then runs each once, without effect but on the gradients: StepProgram::warm_up. Ends early if
  /// the run is to stop.
  void warm_up();
  /// That with the most pixels; null before `prepare`.
  StepProgram* largest() const;
  /// Calls `use` with each program.
  template <typename Use>
  void each(Use&& use) {
    for (const auto& [shape, program] : programs_) {
      use(*program);
    }
  }
  /// The program of their shape, recorded on its first use.
  StepProgram& program(const StepInputs& inputs);
  /// Forward and backward; the unscaled loss. `tail` as in Executor::run.
  double run(StepProgram& program, const StepInputs& inputs, std::int64_t micro_step,
             double loss_scale, const Tail& tail = {}) const;

  /// Logs once whether the steps on a GPU are replays of a recording.
  void tell_replay(const Executor& executor, std::int64_t micro_step) const;
  /// Logs new notices of the backend (Kernels::take_notices).
  void tell_notices() const;
  /// At the end, logs how often the steps were recorded, for profiling.
  void tell_recordings() const;

 private:
  StepProgram& program(const StepShape& shape);

  RunParts parts_;
  std::map<StepShape, std::unique_ptr<StepProgram>> programs_;
};

}  // namespace mantissa
