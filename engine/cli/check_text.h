#pragma once
// The text output of `mantissa check`.

#include <ostream>
#include <vector>

#include "engine/run/run.h"

namespace mantissa {

/// A short table: each kind of module's storage, compute and accumulation types.
void print_precision(std::ostream& out, const PlanReport& plan);

/// Findings by verdict, each with its cause and fix. With `explain` also those that just work, and
/// what the settings mean.
void print_findings(std::ostream& out, const PlanReport& plan, bool explain);

/// Every module of the base model by path.
void print_modules(std::ostream& out, const std::vector<PlannedModule>& modules);

}  // namespace mantissa
