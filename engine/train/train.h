#pragma once

#include "engine/plan/planned_run.h"
#include "engine/ranks/ranks.h"
#include "engine/run/first_steps.h"
#include "engine/run/run_home.h"
#include "engine/run/run_log.h"

namespace mantissa {

/// A traced run's first steps, taken again.
struct FirstStepsReplay {
  const FirstSteps& then;
  FirstSteps now;
};

/// A whole run in its folder: plans the rest of `opened` (open_run), encodes, binds, trains, saves.
/// Throws Error(interrupted) after a stop, other errors unchanged; saves what it can before.
/// `ranks` share the micro-steps; `home` and `log` of all but the writer record nothing.
/// With `replay` only its steps are taken, on the same inputs, and nothing is written; throws Error
/// naming an input that has changed.
RunResult train(PlannedRun opened, RunHome& home, RunControl& control, RunLog& log, Ranks& ranks,
                FirstStepsReplay* replay = nullptr);

}  // namespace mantissa
