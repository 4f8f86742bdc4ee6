#pragma once
// What a plan says of the run's files, for the preflight list.

#include <vector>

#include "engine/plan/plan_report.h"

namespace mantissa::gui {

/// Warnings of a plan's notices as findings "files": the first ones with a line each, then how many
/// more there are.
std::vector<Finding> file_findings(const PlanReport& report);

}  // namespace mantissa::gui
