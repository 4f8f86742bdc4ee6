#include "engine/train/fixed_losses.h"

#include <algorithm>

#include "engine/train/micro_steps.h"

namespace mantissa {

StepProgram& FixedLosses::program(const StepShape& shape) {
  std::unique_ptr<StepProgram>& program = programs_[shape];
  if (!program) {
    const WithoutDropout looking(&parts_.adapters);
    program = std::make_unique<StepProgram>(parts_.kernels, parts_.arena, parts_.model, shape,
                                            StepOptions::looking(parts_.preset()));
  }
  return *program;
}

void FixedLosses::prepare() {
  for (const StepShape& shape : parts_.plan.shapes.single) {
    program(shape);
  }
}

RunContext FixedLosses::context() const {
  return {static_cast<std::uint64_t>(parts_.preset().training.seed), 0};
}

void FixedLosses::warm_up() {
  for (const auto& [shape, program] : programs_) {
    program->warm_up(context());
  }
}

void FixedLosses::record_ahead() {
  for (const auto& [shape, program] : programs_) {
    program->record_ahead(context(), {});
  }
}

double FixedLosses::loss(const StepInputs& inputs) {
  return program(shape_of(inputs, parts_.model.text_tokens()))
      .run(inputs, step_coefficients(parts_, inputs), 0, context());
}

std::optional<std::vector<FixedLosses::ByLevel>> FixedLosses::of(RunPhase phase,
                                                                 std::int64_t images,
                                                                 const Inputs& inputs) {
  // It must not change the state of delayed FP8 scaling.
  const std::vector<float> fp8_pending = parts_.model.fp8_scales().pending();
  const std::int64_t ranks = parts_.ranks.size();
  std::vector<ByLevel> losses;
  bool stopped = false;
  for (std::int64_t begin = 0; begin < images && !stopped; begin += ranks) {
    const std::int64_t end = std::min(begin + ranks, images);
    const std::int64_t mine = begin + parts_.ranks.rank();
    losses.resize(static_cast<std::size_t>(end));
    for (std::size_t level = 0; level < kLevels; ++level) {
      const std::vector<double> found =
          parts_.ranks.gather(mine < end ? loss(inputs(static_cast<std::size_t>(mine), level)) : 0);
      for (std::int64_t i = begin; i < end; ++i) {
        losses[static_cast<std::size_t>(i)][level] = found[static_cast<std::size_t>(i - begin)];
      }
    }
    parts_.log.progress(phase, end, images);
    stopped = parts_.ranks.any(parts_.control.stop_requested() != RunControl::Stop::none);
  }
  parts_.model.fp8_scales().restore_pending(fp8_pending);
  return stopped ? std::nullopt : std::optional(std::move(losses));
}

}  // namespace mantissa
