#pragma once
// Finds the first tensor of a step that is not finite.

#include "engine/graph/executor.h"
#include "engine/precision/health.h"

namespace mantissa {

/// For Executor::set_watch: ends the run after the first op, in execution order, that leaves a NaN
/// or an infinity, and fills `report` (its `non_finite` stays 0 if all is finite). If it came from
/// one of the op's weights or the step's inputs, that is reported instead. `graph` and `report`
/// must outlive the watch.
OpWatch watch_non_finite(const Graph& graph, NonFiniteReport& report);

}  // namespace mantissa
