#include "engine/probe/probe_side.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include "engine/adapters/trained_set.h"
#include "engine/graph/device_values.h"
#include "engine/precision/non_finite.h"

namespace mantissa {
namespace {

/// Values kept of a module's output: enough for a ratio in dB, few enough for a whole SDXL.
constexpr std::int64_t kSamples = 4096;

bool is_readable(DType d) {
  return is_float(d) && dtype_size(d) > 1;
}

/// Up to kSamples values, evenly spread over the tensor, as floats.
std::vector<float> spread_samples(Kernels& kernels, const View& view) {
  const std::int64_t stride = std::max<std::int64_t>(1, view.count() / kSamples);
  const std::int64_t count = view.count() / stride;
  if (!view.contiguous()) {
    const std::vector<float> values = host_values(kernels, view);
    std::vector<float> spread(static_cast<std::size_t>(count));
    for (std::size_t i = 0; i < spread.size(); ++i) {
      spread[i] = values[i * static_cast<std::size_t>(stride)];
    }
    return spread;
  }
  // A row of `stride` values, of which one column is read.
  View from(view.data, view.dtype, {count, 1});
  from.row_stride = stride;
  return host_values(kernels, from);
}

}  // namespace

ProbeSide::ProbeSide(const ProbeSource& source, const Preset& preset)
    : source_(source),
      preset_(preset),
      arena_(std::make_unique<Arena>(source.kernels)),
      scaler_(preset.precision.loss_scaling, preset.precision.compute, preset.precision.gradients),
      lr_schedule_(preset.schedule, source.steps) {
  adapters_ = std::make_unique<TrainedSet>(source.kernels, preset_, source.source.family());
  adapters_->accompany(source.training_adapters);
  model_ = DiffusionModel::open(source.kernels, source.source, adapters_.get(),
                                PrecisionRules(preset_, source.source.family().id()));
  model_->set_text_options(source.text);
  model_->bind(model_->training_parts(preset_));
  adapters_->finalize(
      static_cast<std::uint64_t>(preset_.training.seed),
      [this](const Tensor& weight, std::span<const float> values) {
        model_->weights().replace(weight, values);
      },
      [this](const std::string& path) { return model_->weights().values(path); });
  source_.start(*adapters_, *model_);
  groups_ = make_optimizer_parts(preset_, *adapters_);
}

ProbeSide::~ProbeSide() = default;

StepProgram& ProbeSide::program_for(const StepInputs& in) {
  const StepShape shape = shape_of(in, model_->text_tokens());
  std::unique_ptr<StepProgram>& program = programs_[shape];
  if (!program) {
    program = std::make_unique<StepProgram>(source_.kernels, *arena_, *model_, shape,
                                            StepOptions::of(preset_));
  }
  return *program;
}

double ProbeSide::run(StepProgram& program, const StepInputs& inputs, std::int64_t micro_step,
                      double scale) {
  return program.run(
      inputs, batch_coefficients(source_.objective, loss_rule_of(preset_), inputs.timesteps),
      scale / preset_.training.gradient_accumulation,
      {static_cast<std::uint64_t>(preset_.training.seed), static_cast<std::uint32_t>(micro_step)});
}

void ProbeSide::keep_outputs(StepProgram& program, ProbeStep& kept) {
  const auto watch = std::make_shared<const HealthWatch>(program.graph());
  paths_ = watch->paths();
  program.executor().set_watch([this, watch, &kept](const OpCall& call) {
    for (const auto& [path, view] : watch->outputs_of(call)) {
      if (is_readable(view.dtype)) {
        kept.outputs[path] = spread_samples(source_.kernels, view);
      }
    }
    return true;
  });
}

/// Accumulates the step's gradients in the adapters; returns its loss. Outputs are kept if asked.
double ProbeSide::accumulate(ProbeStep* kept) {
  const int accumulation = preset_.training.gradient_accumulation;
  double loss = 0;
  adapters_->zero_gradients();
  for (int i = 0; i < accumulation; ++i) {
    const std::int64_t micro_step = step_ * accumulation + i;
    const StepInputs inputs = source_.inputs(micro_step);
    StepProgram& program = program_for(inputs);
    if (kept != nullptr && i + 1 == accumulation) {
      keep_outputs(program, *kept);
    }
    loss += run(program, inputs, micro_step, scaler_.scale()) / accumulation;
    program.executor().set_watch({});
  }
  return loss;
}

double ProbeSide::look() {
  const double loss = accumulate(nullptr);
  model_->fp8_scales().advance();
  ++step_;
  return loss;
}

/// Gradients and optimizer, again while the loss scale is still too large: that is no difference
/// between two sides.
StepOutcome ProbeSide::update(ProbeStep* kept, double& loss, const RateFactor& rate) {
  StepOutcome outcome;
  do {
    const float unscale = scaler_.inverse();
    loss = accumulate(kept);
    if (kept != nullptr) {
      kept->gradients.clear();
      for (const AdapterTensor& t : adapters_->tensors()) {
        kept->gradients.push_back(host_values(source_.kernels, t.tensor->grad_view()));
        for (float& g : kept->gradients.back()) {
          g *= unscale;
        }
      }
    }
    outcome = StepTransaction(source_.kernels, scaler_, groups_)
                  .run(preset_.training.max_grad_norm, rate);
  } while (outcome.skipped && !outcome.hopeless && !outcome.stepped && std::isfinite(loss));
  model_->fp8_scales().advance();
  return outcome;
}

double ProbeSide::step_at(double factor) {
  double loss = 0;
  const StepOutcome outcome = update(nullptr, loss, [factor](std::int64_t) { return factor; });
  ++step_;
  return outcome.skipped ? std::numeric_limits<double>::quiet_NaN() : loss;
}

ProbeStep ProbeSide::step() {
  ProbeStep kept;
  UpdateMeter meter(groups_, preset_.precision);
  meter.before();
  const StepOutcome outcome = update(
      &kept, kept.loss, [this](std::int64_t updates) { return lr_schedule_.factor(updates); });
  kept.skipped = outcome.skipped;
  StepRecord record;
  meter.after(outcome, record);
  kept.lost_update = record.lost_update;
  std::vector<std::size_t> next(groups_.size(), 0);
  for (const AdapterTensor& t : adapters_->tensors()) {
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      if (groups_[g].holds(t)) {
        kept.lost.push_back(meter.lost_by_tensor()[g][next[g]++]);
      }
    }
  }
  ++step_;
  return kept;
}

std::optional<NonFiniteReport> ProbeSide::find_non_finite(std::int64_t step) {
  const int accumulation = preset_.training.gradient_accumulation;
  for (int i = 0; i < accumulation; ++i) {
    const std::int64_t micro_step = step * accumulation + i;
    const StepInputs inputs = source_.inputs(micro_step);
    StepProgram& program = program_for(inputs);
    NonFiniteReport report;
    report.step = step + 1;
    program.executor().set_watch(watch_non_finite(program.graph(), report));
    run(program, inputs, micro_step, scaler_.scale());
    program.executor().set_watch({});
    if (report.non_finite > 0) {
      return report;
    }
  }
  return std::nullopt;
}

}  // namespace mantissa
