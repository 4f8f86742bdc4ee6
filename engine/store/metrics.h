#pragma once

#include <string>
#include <vector>

#include "engine/store/rows.h"

namespace mantissa {

/// Every number of every step as comma-separated values with a line of names, full precision.
std::string metrics_csv(const std::vector<StepRow>& steps);

/// Learning rate of the part that has the largest; 0 where none is trained.
double largest_rate(const StepRow& step);

/// What the steps of a run come to.
struct StepFigures {
  double last_tenth;  ///< mean loss of the last tenth of the steps; NaN without steps
  double seconds;     ///< mean of a step; NaN without steps
  std::int64_t clipped = 0, skipped = 0;
};
StepFigures step_figures(const std::vector<StepRow>& steps);

}  // namespace mantissa
