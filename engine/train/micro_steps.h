#pragma once

#include <cstdint>
#include <map>
#include <memory>

#include "engine/programs/step_program.h"
#include "engine/train/run_parts.h"

namespace mantissa {

/// What the objective makes of a step's timesteps, with the loss weights that the preset asks for.
BatchCoefficients step_coefficients(const RunParts& parts, const StepInputs& inputs);

/// A run's micro-steps: what each is computed from, and one recorded program for each shape.
class MicroSteps {
 public:
  explicit MicroSteps(const RunParts& parts) : parts_(parts) {}

  /// Optimizer steps of the run; may be changed while it goes on.
  std::int64_t steps() const;
  /// From the images, or from the trace that is replayed.
  StepInputs inputs(std::int64_t micro_step) const;
  /// Records the programs of the shapes that most batches have, so that no step waits for it.
  void prepare();
  /// The program of their shape, recorded on its first use.
  StepProgram& program(const StepInputs& inputs);
  /// Forward and backward; the unscaled loss. `tail` as in Executor::run.
  double run(StepProgram& program, const StepInputs& inputs, std::int64_t micro_step,
             double loss_scale, const Tail& tail = {}) const;

  /// Says once whether the steps on a GPU are replays of a recording.
  void tell_replay(const Executor& executor, std::int64_t micro_step) const;
  /// At the end, for those who look for lost time: how often the steps were recorded.
  void tell_recordings() const;

 private:
  StepProgram& program(const StepShape& shape);

  RunParts parts_;
  std::map<StepShape, std::unique_ptr<StepProgram>> programs_;
};

}  // namespace mantissa
