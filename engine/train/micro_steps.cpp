#include "engine/train/micro_steps.h"

#include <algorithm>
#include <exception>
#include <functional>
#include <utility>

#include "engine/io/mapped_file.h"

namespace mantissa {

BatchCoefficients step_coefficients(const RunParts& parts, const StepInputs& inputs) {
  return batch_coefficients(*parts.plan.objective, loss_rule_of(parts.preset()), inputs.timesteps);
}

std::int64_t MicroSteps::steps() const {
  return parts_.length().steps;
}

StepInputs MicroSteps::inputs(std::int64_t micro_step) const {
  if (parts_.plan.replay) {
    return parts_.plan.replay->inputs(micro_step, trains_text(parts_.preset()));
  }
  return parts_.own_images != nullptr ? parts_.own_images->inputs(micro_step)
                                      : parts_.batches->inputs(micro_step);
}

StepInputs MicroSteps::take_inputs(std::int64_t micro_step) {
  std::optional<Ahead> ahead = std::exchange(ahead_, std::nullopt);
  return ahead && ahead->micro_step == micro_step ? std::move(ahead->inputs) : inputs(micro_step);
}

std::int64_t MicroSteps::next_of(std::int64_t micro_step) const {
  const std::int64_t accumulation = parts_.preset().training.gradient_accumulation;
  const std::int64_t next = micro_step + parts_.ranks.size(), step = micro_step / accumulation;
  return next / accumulation == step ? next : (step + 1) * accumulation + parts_.ranks.rank();
}

void MicroSteps::make_inputs_after(std::int64_t micro_step) {
  ahead_.reset();
  const std::int64_t next = next_of(micro_step);
  if (parts_.kernels.host_memory() ||
      next >= steps() * parts_.preset().training.gradient_accumulation) {
    return;
  }
  try {
    std::optional<StepInputs> made = parts_.batches != nullptr
                                         ? parts_.batches->inputs_beside_step(next)
                                         : std::optional(inputs(next));
    if (made) {
      ahead_ = {next, std::move(*made)};
    }
  } catch (const std::exception&) {
    // Made again, and told, by the step that needs them.
  }
}

StepProgram* MicroSteps::largest() const {
  const auto found = std::ranges::max_element(
      programs_, {}, [](const auto& program) { return program.first.positions(); });
  return found == programs_.end() ? nullptr : found->second.get();
}

void MicroSteps::prepare() {
  std::vector<StepShape> shapes = parts_.plan.shapes.shapes;
  // The largest first: an arena of several devices grows with it, and none moves after.
  std::ranges::sort(shapes, std::greater(), &StepShape::positions);
  for (const StepShape& shape : shapes) {
    program(shape).executor();
  }
}

void MicroSteps::warm_up() {
  std::int64_t largest = 0;
  for (const auto& [shape, program] : programs_) {
    if (parts_.control.stop_requested() != RunControl::Stop::none) {
      return;
    }
    program->warm_up({static_cast<std::uint64_t>(parts_.preset().training.seed), 0});
    largest = std::max(largest, shape.height * shape.width * parts_.model.latent_channels());
  }
  if (parts_.batches != nullptr) {
    parts_.batches->warm_up(largest);
  }
  parts_.adapters.zero_gradients();
}

StepProgram& MicroSteps::program(const StepInputs& in) {
  return program(shape_of(in, parts_.model.text_tokens()));
}

StepProgram& MicroSteps::program(const StepShape& shape) {
  std::unique_ptr<StepProgram>& program = programs_[shape];
  if (!program) {
    program = std::make_unique<StepProgram>(
        parts_.kernels, parts_.arena, parts_.model, shape,
        StepOptions::of(parts_.preset(), parts_.plan.job.trace.has_value()));
  }
  return *program;
}

double MicroSteps::run(StepProgram& program, const StepInputs& inputs, std::int64_t micro_step,
                       double loss_scale, const Tail& tail,
                       const std::function<void()>& meanwhile) const {
  const Preset::Training& training = parts_.preset().training;
  const double loss = program.run(
      inputs, step_coefficients(parts_, inputs), loss_scale / training.gradient_accumulation,
      {static_cast<std::uint64_t>(training.seed), static_cast<std::uint32_t>(micro_step)}, tail,
      meanwhile);
  require_intact_files();  // weights may be read from their file in every step
  return loss;
}

void MicroSteps::tell_replay(const Executor& executor, std::int64_t micro_step) const {
  constexpr std::int64_t kRecordedBy = 4;
  if (parts_.kernels.host_memory() || micro_step != kRecordedBy) {
    return;
  }
  if (executor.replayed()) {
    parts_.log.line(LogLevel::info, message<"steps run as CUDA graphs">());
  } else if (!executor.why_not_recorded().empty()) {  // else a shape that occurred too rarely so
                                                      // far
    parts_.log.line(LogLevel::info,
                    message<"steps run kernel by kernel: {reason}">(executor.why_not_recorded()));
  }
}

void MicroSteps::tell_notices() const {
  for (const std::string& notice : parts_.kernels.take_notices()) {
    parts_.log.line(LogLevel::warning, message<"CUDA: {notice}">(notice));
  }
}

void MicroSteps::tell_recordings() const {
  int recordings = 0;
  for (const auto& [shape, program] : programs_) {
    recordings += program->recordings();
  }
  if (recordings > 0) {
    parts_.log.line(LogLevel::debug,
                    message<"training steps: {shapes} shapes, {recordings} recordings">(
                        programs_.size(), recordings));
  }
}

}  // namespace mantissa
