#pragma once
// The learning-rate range test: loss against learning rate over a short run.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/core/message.h"
#include "engine/run/run.h"
#include "engine/run/run_control.h"

namespace mantissa {

struct RateTestOptions {
  std::int64_t steps = 100;
  double from = 1e-7, to = 1e-1;  ///< learning rates of the first and the last step
};
constexpr std::int64_t kLeastRateSteps = 20, kMostRateSteps = 10'000;

/// One step of the test.
struct RatePoint {
  double rate = 0;        ///< of the preset's optimizer
  double loss = 0;        ///< before the step's update; NaN: not finite
  double start_loss = 0;  ///< of the same images, timesteps and noise with the weights of the start
  double smoothed = 0;    ///< start loss of all plus the smoothed change of this step's
};

struct RateTest {
  std::vector<RatePoint> points;       ///< up to the last step taken
  double start_loss = 0;               ///< mean over the points
  std::optional<double> diverged;      ///< the rate at which the loss diverged and the test ended
  std::optional<double> lowest;        ///< the rate of the lowest smoothed loss
  std::optional<double> steepest;      ///< and of the steepest fall before it
  std::optional<double> suggestion{};  ///< none: the curve supports none
  Message verdict;                     ///< what the curve says, and what to do if it says nothing
  std::string fix_json = "{}";         ///< preset patch: the suggested rate
};

/// Trains `options.steps` steps of the job, each at a higher learning rate than the one before, and
/// suggests a rate (L. N. Smith, arXiv 1506.01186). A group's own rate grows in proportion; the
/// schedule is left out, all else is the run's.
///
/// The loss of a diffusion model depends more on a step's timesteps and noise than on its weights.
/// So every step's loss is compared with that of the same images, timesteps, noise and dropout at
/// the weights of the start, measured beforehand: common random numbers. Only what training has
/// changed is left.
///
/// Writes nothing: no run, no cache, no database. Deterministic on the CPU. Throws Error as
/// run_training does, for bounds in the wrong order, and for optimizers that find their rate
/// themselves; Error(interrupted) if `control` asks for a stop.
RateTest run_rate_test(const JobSpec& job, const RateTestOptions& options, RunControl& control,
                       RunObserver& observer);

/// The refusal of a preset whose learning rate can't be tested; empty if it can.
Message rate_test_problem(const Preset& preset);

/// `preset` with this learning rate; the rates of its groups change in proportion.
Preset with_learning_rate(Preset preset, double rate);

}  // namespace mantissa
