#include "engine/train/step_timing.h"

#include <algorithm>
#include <chrono>
#include <random>

#include "engine/core/random.h"
#include "engine/diffusion/timesteps.h"
#include "engine/optim/lr_schedule.h"
#include "engine/plan/backend.h"
#include "engine/plan/job_precision.h"
#include "engine/plan/plan_run.h"
#include "engine/run/training_state.h"
#include "engine/train/bound_model.h"

namespace mantissa {
namespace {

PlannedRun plan_timing(const JobSpec& job, Kernels& kernels) {
  PlannedRun run = open_run(job);
  refuse_conflicts(run.precision);
  run.job.preset.samples.prompts.clear();  // no sample is made
  plan_memory(run, kernels, run_memory(job, kernels), EncodedDataset::Look::headers);
  require_memory(run, kernels);
  return run;
}

/// Random inputs of one shape; their values don't change what a step does.
class RandomInputs {
 public:
  RandomInputs(const PlannedRun& run, Kernels& kernels, DiffusionModel& model)
      : run_(run), kernels_(kernels), shape_(run.shapes.shapes.front()) {
    const Preset& preset = run.job.preset;
    const int f = model.latent_factor();
    in_.batch = shape_.batch;
    in_.height = shape_.height;
    in_.width = shape_.width;
    in_.channels = model.latent_channels();
    const std::int64_t positions = shape_.batch * shape_.height * shape_.width;
    if (trains_vae(preset)) {
      in_.images = uniform(positions * f * f * 3);
      return;
    }
    in_.latents = normal(0);
    patch_ = model.patch_size();
    const auto side = micro_conditioning(
        static_cast<int>(shape_.height) * f, static_cast<int>(shape_.width) * f, 0, 0,
        static_cast<int>(shape_.height) * f, static_cast<int>(shape_.width) * f);
    for (std::int64_t b = 0; b < shape_.batch; ++b) {
      in_.time_ids.insert(in_.time_ids.end(), side.begin(), side.end());
    }
    if (preset.data.masks != MaskMode::off) {
      in_.mask.assign(static_cast<std::size_t>(positions), 1.0F);
    }
    if (trains_text(preset)) {
      in_.tokens.assign(static_cast<std::size_t>(shape_.batch), model.tokenize("a photo"));
      return;
    }
    for (const std::string& head : text_heads(preset)) {
      for (const auto& [name, shape] : model.text_shapes(shape_.tokens)) {
        in_.text[head + name] = uniform(shape_.batch * shape.count());
      }
    }
    in_.preservation_weight.assign(static_cast<std::size_t>(shape_.batch), 1.0F);
  }

  const StepShape& shape() const { return shape_; }

  const StepInputs& of(std::int64_t micro_step) {
    in_.noise = normal(micro_step + 1);
    if (!trains_vae(run_.job.preset)) {
      in_.timesteps =
          draw_timesteps(*run_.objective, level_distribution(run_.job.preset),
                         image_tokens(shape_.height, shape_.width, patch_), seed(),
                         static_cast<std::uint64_t>(micro_step), static_cast<int>(shape_.batch));
    }
    return in_;
  }

 private:
  std::uint64_t seed() const { return static_cast<std::uint64_t>(run_.job.preset.training.seed); }
  std::vector<float> normal(std::int64_t step) {
    return normal_values(kernels_, in_.batch * in_.height * in_.width * in_.channels,
                         random_key(seed(), RandomStream::noise, static_cast<std::uint64_t>(step)));
  }
  std::vector<float> uniform(std::int64_t count) {
    std::vector<float> values(static_cast<std::size_t>(count));
    std::ranges::generate(values, [this] { return std::generate_canonical<float, 24>(random_); });
    return values;
  }

  const PlannedRun& run_;
  Kernels& kernels_;
  StepShape shape_;
  int patch_ = 1;
  StepInputs in_;
  std::mt19937 random_;
};

/// The steps of a run without images, samples and files.
class TimedSteps {
 public:
  TimedSteps(const PlannedRun& run, Kernels& kernels)
      : run_(run),
        kernels_(kernels),
        bound_(run, kernels, /*stacks_adapters=*/true),
        state_(run.job.preset, bound_.adapters, bound_.model->fp8_scales()),
        lr_schedule_(run.job.preset.schedule, std::max<std::int64_t>(run_length(run).steps, 1)),
        inputs_(run, kernels, *bound_.model) {
    bound_.arena.reserve(run.arena_bytes);
    kernels.keep_turned_codes(run.keeps_turned);
    program_ = std::make_unique<StepProgram>(kernels, bound_.arena, *bound_.model, inputs_.shape(),
                                             StepOptions::of(run.job.preset));
    if (!run.job.preset.optimizer.fused_back_pass) {
      transaction_.emplace(kernels, state_.scaler, state_.groups);
    }
  }

  void step() {
    const RateFactor rate = [this](std::int64_t updates) { return lr_schedule_.factor(updates); };
    bound_.adapters.zero_gradients();
    StepOutcome outcome;
    if (transaction_) {
      transaction_->prepare(run_.job.preset.training.max_grad_norm, rate);
      backward([this] { transaction_->launch(program_->loss()); });
      outcome = transaction_->finish();
    } else {
      FusedTransaction transaction(kernels_, state_.scaler, state_.groups, rate);
      const FusedUpdates updates(bound_.adapters, state_.groups, transaction);
      backward({});
      outcome = transaction.finish();
    }
    state_.average(outcome);
    bound_.model->fp8_scales().advance();
  }

  const Executor& executor() { return program_->executor(); }
  const StepShape& shape() const { return inputs_.shape(); }

 private:
  void backward(const Tail& update) {
    const Preset::Training& training = run_.job.preset.training;
    for (int i = 0; i < training.gradient_accumulation; ++i, ++micro_step_) {
      const StepInputs& in = inputs_.of(micro_step_);
      program_->run(
          in, batch_coefficients(*run_.objective, loss_rule_of(run_.job.preset), in.timesteps),
          state_.scaler.scale() / training.gradient_accumulation,
          {static_cast<std::uint64_t>(training.seed), static_cast<std::uint32_t>(micro_step_)},
          i + 1 == training.gradient_accumulation ? update : Tail{});
    }
  }

  const PlannedRun& run_;
  Kernels& kernels_;
  BoundModel bound_;
  TrainingState state_;
  LrSchedule lr_schedule_;
  RandomInputs inputs_;
  std::unique_ptr<StepProgram> program_;
  std::optional<StepTransaction> transaction_;
  std::int64_t micro_step_ = 0;
};

}  // namespace

double StepTiming::median() const {
  std::vector<double> sorted = seconds;
  std::ranges::sort(sorted);
  const std::size_t middle = sorted.size() / 2;
  return sorted.size() % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

double StepTiming::fastest() const {
  return *std::ranges::min_element(seconds);
}

StepTiming time_steps(const JobSpec& job, const TimingOptions& options, const Progress& progress) {
  const std::unique_ptr<Kernels> kernels = make_backend(job.device, job.deterministic);
  const PlannedRun run = plan_timing(job, *kernels);
  TimedSteps steps(run, *kernels);
  StepTiming timing;
  timing.device = kernels->name();
  timing.card = run.precision.device.name;
  timing.plan = run.precision.summary();
  timing.shape = steps.shape();
  timing.peak_bytes = run.report.peak_bytes;
  const std::int64_t all = options.warm_up + options.steps;
  for (std::int64_t i = 0; i < all; ++i) {
    const auto start = std::chrono::steady_clock::now();
    steps.step();
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    if (i >= options.warm_up) {
      timing.seconds.push_back(taken.count());
    }
    if (progress) {
      progress(RunPhase::training, i + 1, all);
    }
  }
  timing.replayed = steps.executor().replayed();
  if (!kernels->host_memory()) {
    timing.why_not_replayed = steps.executor().why_not_recorded();
  }
  return timing;
}

}  // namespace mantissa
