// Trainer: what it says of numbers that are not finite.
#include <cmath>
#include <fmt/format.h>

#include "engine/core/error.h"
#include "engine/precision/non_finite.h"
#include "engine/precision/run_findings.h"
#include "engine/train/trainer.h"

namespace mantissa {
namespace {

constexpr const char* kAccumulate = "accumulate_gradient";

/// An adapter gradient that only overflowed while it was summed.
std::optional<NonFiniteReport> broken_accumulator(Kernels& kernels, const AdapterSet& adapters) {
  for (const AdapterTensor& t : adapters.tensors()) {
    const View sum = t.tensor->grad_view();
    if (const std::int64_t bad = kernels.count_non_finite(sum); bad > 0) {
      NonFiniteReport report;
      report.layer = t.name;
      report.op = kAccumulate;
      report.phase = "backward";
      report.tensor = message<"accumulated gradient">();
      report.format = sum.dtype;
      report.format_max = float_format(sum.dtype).max;
      report.non_finite = bad;
      report.count = sum.count();
      report.last_amax = kernels.tensor_statistics(sum, {}, sum.dtype, {}).amax;
      return report;
    }
  }
  return std::nullopt;
}

}  // namespace

/// Runs micro-steps again on the same inputs, each up to the first tensor that is not finite.
/// Leaves the adapters' gradients undefined.
std::optional<NonFiniteReport> Trainer::find_non_finite(std::int64_t first, std::int64_t count,
                                                        double loss_scale) {
  adapters_->zero_gradients();
  for (std::int64_t micro_step = first; micro_step < first + count; ++micro_step) {
    const StepInputs inputs = inputs_for(micro_step);
    StepProgram& program = program_for(inputs);
    NonFiniteReport report;
    program.executor().set_watch(watch_non_finite(program.graph(), *kernels_, report));
    run_micro_step(program, inputs, micro_step, loss_scale);
    program.executor().set_watch({});
    std::optional<NonFiniteReport> found;
    if (report.non_finite > 0) {
      found = std::move(report);
    } else {
      found = broken_accumulator(*kernels_, *adapters_);
    }
    if (found) {
      found->step = micro_step / job_.preset.training.gradient_accumulation + 1;
      return found;
    }
  }
  return std::nullopt;
}

void Trainer::stop_on_loss(const StepInputs& inputs, std::int64_t micro_step) {
  non_finite_ = find_non_finite(micro_step, 1, scaler_.scale());
  if (non_finite_) {
    log_.non_finite(*non_finite_, 2);
  }
  const PrecisionFinding finding = non_finite_loss(job_.preset, step_ + 1, inputs.sources);
  const Message told = finding_text(finding);
  throw Error(
      ErrorKind::non_finite,
      non_finite_
          ? message<"{finding}. First: {found} The weights are as they were before this step">(
                told, non_finite_->text())
          : message<"{finding}. The weights are as they were before this step">(told),
      finding.id);
}

/// The first skip of a row names its cause; those that only find the loss scale are no fault.
void Trainer::explain_skip(const StepRecord& record, const StepOutcome& outcome) {
  if (skips_in_row_ == 0 || outcome.hopeless) {
    const std::int64_t count = job_.preset.training.gradient_accumulation;
    non_finite_ = find_non_finite((record.step - 1) * count, count, record.loss_scale);
    if (non_finite_) {
      log_.non_finite(*non_finite_, outcome.hopeless ? 2 : 1);
    }
  }
  if (outcome.hopeless) {
    log_.line(2, message<"step {step}: non-finite gradients, step skipped">(record.step));
    return;
  }
  log_.line(
      1, message<"step {step}: gradients overflow at loss scale {before}, step skipped. The scale "
                 "is being found and is now {after}; a few skips at the start, and one after each "
                 "doubling, are normal">(record.step, fmt::format("{:g}", record.loss_scale),
                                         fmt::format("{:g}", scaler_.scale())));
}

void Trainer::stop_on_skips() {
  // An accumulator is no module that could be pinned.
  const bool module = non_finite_ && non_finite_->op != kAccumulate;
  const PrecisionFinding finding =
      endless_overflow(job_.preset, skips_in_row_, module ? non_finite_->layer : "");
  const Message told = finding_text(finding);
  throw Error(
      ErrorKind::non_finite,
      non_finite_
          ? message<"{finding}. First: {found} The weights were not touched by these steps, the "
                    "last of which is {step}">(told, non_finite_->text(), step_)
          : message<"{finding}. The weights were not touched by these steps, the last of which is "
                    "{step}">(told, step_),
      finding.id);
}

void Trainer::check_reach(const StepOutcome& outcome) {
  const auto norm_of = [&](Part part, bool magnitudes) {
    double norm = 0;
    for (std::size_t i = 0; i < groups_.size(); ++i) {
      if (groups_[i].part == part && groups_[i].magnitudes == magnitudes) {
        norm = outcome.group_norms[i];
      }
    }
    return norm;
  };
  for (const OptimizerPart& group : groups_) {
    if (norm_of(group.part, group.magnitudes) != 0) {
      continue;
    }
    if (!group.magnitudes) {
      log_.line(2, finding_text(no_gradients(job_.preset, group.part)));
    } else if (norm_of(group.part, false) != 0) {
      throw finding_error(ErrorKind::precision, frozen_magnitude(job_.preset, group.name()));
    }
  }
}

}  // namespace mantissa
