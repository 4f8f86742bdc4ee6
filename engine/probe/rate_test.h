#pragma once
// The learning-rate range test: loss against learning rate over a short run.

#include "engine/core/message.h"
#include "engine/probe/rate_report.h"
#include "engine/run/run.h"
#include "engine/run/run_control.h"

namespace mantissa {

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
