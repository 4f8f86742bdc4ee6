#pragma once
// Finds the first tensor of a step that is not finite.

#include "engine/graph/executor.h"
#include "engine/precision/health.h"

namespace mantissa {

/// For Executor::set_watch: ends the run after the first op, in execution order, that leaves a NaN
/// or an infinity, and fills `report` (its `non_finite` stays 0 where all is finite). Where one of
/// the op's own weights or the step's inputs brought it, that is what is named. `graph`, `kernels`
/// and `report` must outlive the watching.
OpWatch watch_non_finite(const Graph& graph, Kernels& kernels, NonFiniteReport& report);

}  // namespace mantissa
