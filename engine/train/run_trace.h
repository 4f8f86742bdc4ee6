#pragma once

#include <cstdint>
#include <optional>

#include "engine/programs/trace.h"
#include "engine/run/run_parts.h"

namespace mantissa {

/// The trace that a run writes on request: its first steps, with the adapters before and after
/// them.
class RunTrace {
 public:
  explicit RunTrace(const RunParts& parts) : parts_(parts) {}

  /// Before the first step.
  void begin();
  /// After micro-step `micro_step` of optimizer step `step` (both from 0) ran.
  void add_micro_step(std::int64_t step, std::int64_t micro_step, const StepInputs& inputs,
                      StepProgram& program, double loss);
  /// The gradients of a step after its last micro-step, before clipping.
  void add_gradients(std::int64_t step, std::int64_t micro_step, double unscale);
  /// After `steps`: writes the trace if it is complete.
  void finish_at(std::int64_t steps);
  /// Writes the trace so far, unless already written.
  void finish();

 private:
  bool covers(std::int64_t step) const { return writer_ && step < parts_.plan.job.trace_steps; }

  RunParts parts_;
  std::optional<TraceWriter> writer_;
};

}  // namespace mantissa
