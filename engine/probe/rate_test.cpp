#include "engine/probe/rate_test.h"

#include <cmath>
#include <utility>

#include "engine/core/error.h"
#include "engine/preset/names.h"
#include "engine/preset/preset_io.h"
#include "engine/probe/probe_job.h"
#include "engine/probe/rate_curve.h"

namespace mantissa {
namespace {

void require_bounds(const RateTestOptions& options) {
  if (!(options.from > 0 && options.from < options.to)) {
    throw Error(
        message<"the first learning rate of the test must be above 0 and below the last">());
  }
}

double rate_of(const RateTestOptions& options, std::int64_t step) {
  const double share = static_cast<double>(step) / static_cast<double>(options.steps - 1);
  return options.from * std::pow(options.to / options.from, share);
}

/// The losses of every step's inputs at the weights of the start.
std::vector<double> losses_at_start(ProbeJob& job, const Preset& preset, std::int64_t steps) {
  std::vector<double> losses;
  {
    ProbeSide side(job.source(), preset);
    for (std::int64_t i = 0; i < steps; ++i) {
      losses.push_back(side.look());
      job.advance();
    }
  }
  job.kernels().release_constants();
  return losses;
}

std::string patch_of(const Preset& before, const Preset& after) {
  nlohmann::json patch = nlohmann::json::object();
  for (const PresetChange& change : diff_presets(before, after)) {
    patch[change.key] = change.b;
  }
  return patch.dump();
}

}  // namespace

Message rate_test_problem(const Preset& preset) {
  const auto finds_rate = [](OptimizerType type) { return optimizer_row(type).finds_rate(); };
  OptimizerType found = preset.optimizer.type;
  for (const OptimizerGroup& group : preset.optimizer.groups) {
    if (group.type && finds_rate(*group.type)) {
      found = *group.type;
    }
  }
  return finds_rate(found) ? message<
                                 "{optimizer} finds the learning rate by itself: leave it at 1. "
                                 "There is nothing to test">(optimizer_row(found).name)
                           : Message();
}

Preset with_learning_rate(Preset preset, double rate) {
  const double before = preset.optimizer.learning_rate;
  for (OptimizerGroup& group : preset.optimizer.groups) {
    if (group.learning_rate && before > 0) {
      *group.learning_rate *= rate / before;
    }
  }
  preset.optimizer.learning_rate = rate;
  return preset;
}

RateTest run_rate_test(const JobSpec& spec, const RateTestOptions& options, RunControl& control,
                       RunObserver& observer) {
  require_bounds(options);
  if (Message problem = rate_test_problem(spec.preset); !problem.empty()) {
    throw Error(std::move(problem));
  }
  ProbeJob job(spec, control, observer);
  job.expect(2 * options.steps);
  const Preset first = with_learning_rate(job.preset(), options.from);
  const std::vector<double> start = losses_at_start(job, first, options.steps);
  std::vector<RatePoint> points;
  bool diverged = false;
  ProbeSide side(job.source(), first);
  for (std::int64_t i = 0; i < options.steps && !diverged; ++i) {
    const double rate = rate_of(options, i);
    const double loss = side.step_at(rate / options.from);
    points.push_back({rate, loss, start[static_cast<std::size_t>(i)], 0});
    diverged = has_diverged(points, options.steps);
    job.advance();
  }
  RateTest test = read_rate_curve(std::move(points), options, diverged);
  if (test.suggestion) {
    test.fix_json = patch_of(spec.preset, with_learning_rate(spec.preset, *test.suggestion));
  }
  return test;
}

}  // namespace mantissa
