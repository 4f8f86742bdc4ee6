#include "engine/train/health_monitor.h"

#include <algorithm>
#include <fmt/format.h>

#include "engine/adapters/trained_set.h"
#include "engine/core/error.h"
#include "engine/precision/non_finite.h"
#include "engine/precision/run_findings.h"
#include "engine/train/gradient_sum.h"

namespace mantissa {
namespace {

constexpr const char* kAccumulate = "accumulate_gradient";

/// An adapter gradient that only overflowed during accumulation.
std::optional<NonFiniteReport> broken_accumulator(const TrainedSet& adapters) {
  for (const AdapterTensor& t : adapters.tensors()) {
    Kernels& kernels = adapters.on(*t.tensor);
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

/// Whether a trained tensor holds NaN or infinity, as after an update that divided by zero.
bool has_broken_weights(const TrainedSet& adapters) {
  return std::ranges::any_of(adapters.tensors(), [&](const AdapterTensor& t) {
    return adapters.on(*t.tensor).count_non_finite(t.tensor->view()) > 0;
  });
}

}  // namespace

void HealthMonitor::record_weights() {
  if (!layers_.on() || state_.step != 0) {
    return;
  }
  if (const HealthRecord weights = layers_.weights(parts_.model); !weights.rows.empty()) {
    parts_.log.health(weights);
  }
}

void HealthMonitor::warm_up() {
  StepProgram* const program = steps_.largest();
  if (!layers_.on() || program == nullptr) {
    return;
  }
  layers_.start(*program);
  program->warm_up({static_cast<std::uint64_t>(parts_.preset().training.seed), 0});
  layers_.stop(*program);
  layers_.finish(0);
  parts_.adapters.zero_gradients();
}

void HealthMonitor::finish(std::int64_t step) {
  parts_.log.health(layers_.finish(step));
}

std::optional<NonFiniteReport> HealthMonitor::find_non_finite(std::int64_t first,
                                                              std::int64_t count,
                                                              double loss_scale) {
  GradientSum gradients(parts_);
  gradients.begin();
  for (std::int64_t micro_step = first; micro_step < first + count; ++micro_step) {
    if (micro_step > first) {
      gradients.next();
    }
    const StepInputs inputs = steps_.inputs(micro_step);
    StepProgram& program = steps_.program(inputs);
    NonFiniteReport report;
    program.executor().set_watch(watch_non_finite(program.graph(), report));
    steps_.run(program, inputs, micro_step, loss_scale);
    gradients.add();
    program.executor().set_watch({});
    std::optional<NonFiniteReport> found;
    if (report.non_finite > 0) {
      found = std::move(report);
    } else {
      found = broken_accumulator(parts_.adapters);
    }
    if (found) {
      found->step = micro_step / parts_.preset().training.gradient_accumulation + 1;
      return found;
    }
  }
  return std::nullopt;
}

void HealthMonitor::stop_on_loss(const StepInputs& inputs, std::int64_t micro_step) {
  non_finite_ = find_non_finite(micro_step, 1, state_.scaler.scale());
  if (non_finite_) {
    parts_.log.non_finite(*non_finite_, LogLevel::warning);
  }
  const PrecisionFinding finding =
      non_finite_loss(parts_.preset(), state_.step + 1, inputs.sources);
  const Message told = finding_text(finding);
  const Message weights =
      has_broken_weights(parts_.adapters)
          ? message<
                "An update has made trained weights NaN/Inf: continue from a checkpoint before "
                "it, with a lower optimizer.learning_rate or a larger optimizer.eps">()
          : message<"The weights are as they were before this step">();
  throw Error(ErrorKind::non_finite,
              non_finite_ ? message<"{finding}. First: {found} {weights}">(
                                told, non_finite_->text(), weights)
                          : message<"{finding}. {weights}">(told, weights),
              finding.id);
}

void HealthMonitor::explain_skip(const StepRecord& record, const StepOutcome& outcome) {
  if (state_.skips_in_row == 0 || outcome.hopeless) {
    const std::int64_t count = parts_.preset().training.gradient_accumulation;
    non_finite_ = find_non_finite((record.step - 1) * count, count, record.loss_scale);
    if (non_finite_) {
      parts_.log.non_finite(*non_finite_, outcome.hopeless ? LogLevel::warning : LogLevel::info);
    }
  }
  if (outcome.hopeless) {
    parts_.log.line(LogLevel::warning,
                    message<"step {step}: non-finite gradients, step skipped">(record.step));
    return;
  }
  parts_.log.line(
      LogLevel::info,
      message<"step {step}: gradients overflow at loss scale {before}, step skipped. The scale "
              "is being found and is now {after}; a few skips at the start, and one after each "
              "doubling, are normal">(record.step, fmt::format("{:g}", record.loss_scale),
                                      fmt::format("{:g}", state_.scaler.scale())));
}

void HealthMonitor::check_skips(const StepOutcome& outcome) const {
  constexpr std::int64_t kMaxSkips = 3;
  if (!outcome.hopeless || state_.skips_in_row < kMaxSkips) {
    return;
  }
  // An accumulator isn't a module that can be pinned.
  const bool module = non_finite_ && non_finite_->op != kAccumulate;
  const PrecisionFinding finding =
      endless_overflow(parts_.preset(), state_.skips_in_row, module ? non_finite_->layer : "");
  const Message told = finding_text(finding);
  throw Error(
      ErrorKind::non_finite,
      non_finite_
          ? message<"{finding}. First: {found} The weights were not touched by these steps, the "
                    "last of which is {step}">(told, non_finite_->text(), state_.step)
          : message<"{finding}. The weights were not touched by these steps, the last of which is "
                    "{step}">(told, state_.step),
      finding.id);
}

void HealthMonitor::check_reach(const StepOutcome& outcome) const {
  const auto norm_of = [&](Part part, bool magnitudes) {
    double norm = 0;
    for (const OptimizerPart& group : state_.groups) {
      if (group.part == part && group.magnitudes == magnitudes) {
        norm = outcome.group_norms[group.group];
      }
    }
    return norm;
  };
  for (const OptimizerPart& group : state_.groups) {
    if (group.begin > 0 || norm_of(group.part, group.magnitudes) != 0) {
      continue;
    }
    if (!group.magnitudes) {
      parts_.log.line(LogLevel::warning, finding_text(no_gradients(parts_.preset(), group.part)));
    } else if (norm_of(group.part, false) != 0) {
      throw finding_error(ErrorKind::precision, frozen_magnitude(parts_.preset(), group.name()));
    }
  }
}

}  // namespace mantissa
