#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>

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
  /// Inputs of this process's next micro-step: those made while the last one ran, else new ones.
  StepInputs take_inputs(std::int64_t micro_step);
  /// Makes them ready, if a launched step runs beside it, the run has another, and it takes no
  /// model. Errors are left to `take_inputs`.
  void make_inputs_after(std::int64_t micro_step);
  /// For settings that change what comes next.
  void drop_inputs() { ahead_.reset(); }
  /// Records the programs of all shapes, so that no step waits for it.
  void prepare();
  /// Then runs each once, without effect but on the gradients: StepProgram::warm_up. Ends early if
  /// the run is to stop.
  void warm_up();
  /// The program with the most pixels; null before `prepare`.
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
  /// Forward and backward; the unscaled loss. `tail` and `meanwhile` as in StepProgram::run.
  double run(StepProgram& program, const StepInputs& inputs, std::int64_t micro_step,
             double loss_scale, const Tail& tail = {},
             const std::function<void()>& meanwhile = {}) const;

  /// Logs once whether the steps on a GPU are replays of a recording.
  void tell_replay(const Executor& executor, std::int64_t micro_step) const;
  /// Logs new notices of the backend (Kernels::take_notices).
  void tell_notices() const;
  /// At the end, logs how often the steps were recorded, for profiling.
  void tell_recordings() const;

 private:
  StepProgram& program(const StepShape& shape);

  /// This process's next micro-step after one.
  std::int64_t next_of(std::int64_t micro_step) const;
  struct Ahead {
    std::int64_t micro_step;
    StepInputs inputs;
  };

  RunParts parts_;
  std::map<StepShape, std::unique_ptr<StepProgram>> programs_;
  std::optional<Ahead> ahead_;
};

}  // namespace mantissa
