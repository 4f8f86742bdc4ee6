#include "engine/train/validation.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <utility>
#include <vector>

#include "engine/train/micro_steps.h"

namespace mantissa {

StepProgram& Validation::program(const StepShape& shape) {
  std::unique_ptr<StepProgram>& program = programs_[shape];
  if (!program) {
    const WithoutDropout looking(&parts_.adapters);
    program = std::make_unique<StepProgram>(parts_.kernels, parts_.arena, parts_.model, shape,
                                            StepOptions::looking(parts_.preset()));
  }
  return *program;
}

void Validation::prepare() {
  for (const StepShape& shape : parts_.plan.shapes.validation) {
    program(shape);
  }
}

double Validation::loss_of(std::int64_t image, std::size_t draw) {
  const StepInputs inputs =
      parts_.batches->validation_inputs(static_cast<std::size_t>(image), draw);
  return program({1, inputs.height, inputs.width, parts_.model.text_tokens()})
      .run(inputs, step_coefficients(parts_, inputs), 0,
           {static_cast<std::uint64_t>(parts_.preset().training.seed), 0});
}

bool Validation::has_images() const {
  return parts_.plan.data && !parts_.plan.data->images().validation().empty();
}

void Validation::run() {
  if (!has_images() || done_at_ == state_.step) {
    return;
  }
  state_.with_schedule_free(
      [&] { run_images(std::ssize(parts_.plan.data->images().validation())); });
}

void Validation::run_images(std::int64_t images) {
  const auto start = std::chrono::steady_clock::now();
  // It must not change the state of delayed FP8 scaling.
  const std::vector<float> fp8_pending = parts_.model.fp8_scales().pending();
  constexpr std::size_t kDraws = BatchSource::kValidationDraws;
  const std::int64_t ranks = parts_.ranks.size();
  double sum = 0;
  std::vector<ImageLoss> each;
  bool stopped = false;
  for (std::int64_t begin = 0; begin < images && !stopped; begin += ranks) {
    const std::int64_t end = std::min(begin + ranks, images);
    const std::int64_t mine = begin + parts_.ranks.rank();
    std::array<std::vector<double>, kDraws> losses;  // by draw and process
    for (std::size_t which = 0; which < kDraws; ++which) {
      losses[which] = parts_.ranks.gather(mine < end ? loss_of(mine, which) : 0);
    }
    for (std::int64_t i = 0; i < end - begin; ++i) {  // in the same order as in one process
      double of_image = 0;
      for (const std::vector<double>& draw : losses) {
        sum += draw[static_cast<std::size_t>(i)];
        of_image += draw[static_cast<std::size_t>(i)];
      }
      const std::int64_t image = begin + i;
      each.push_back({image,
                      parts_.plan.data->images().validation()[static_cast<std::size_t>(image)].name,
                      of_image / static_cast<double>(kDraws)});
    }
    parts_.log.progress(RunPhase::validating, end, images);
    stopped = parts_.ranks.any(parts_.control.stop_requested() != RunControl::Stop::none);
  }
  parts_.model.fp8_scales().restore_pending(fp8_pending);
  if (stopped) {
    return;
  }
  done_at_ = state_.step;
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  const auto losses = static_cast<std::size_t>(images) * kDraws;
  parts_.log.validation(
      {state_.step, sum / static_cast<double>(losses), images, took.count(), std::move(each)});
}

}  // namespace mantissa
