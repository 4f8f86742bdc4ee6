#pragma once

#include "engine/plan/planned_run.h"
#include "engine/ranks/ranks.h"
#include "engine/run/run_home.h"
#include "engine/run/run_log.h"

namespace mantissa {

/// A whole run in its folder: plans the rest of `opened` (open_run), encodes, binds, trains, saves.
/// Throws Error(interrupted) after a stop, other errors unchanged; saves what it can before.
/// `ranks` share the micro-steps; `home` and `log` of all but the writer record nothing.
RunResult train(PlannedRun opened, RunHome& home, RunControl& control, RunLog& log, Ranks& ranks);

}  // namespace mantissa
