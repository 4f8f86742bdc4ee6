#pragma once

#include <string>
#include <vector>

#include "engine/store/rows.h"

namespace mantissa {

/// Every number of every step as comma-separated values with a header line, full precision. Beside
/// them the validation losses; a step that has only one (step 0) gets a row too.
std::string metrics_csv(const std::vector<StepRow>& steps,
                        const std::vector<ValidationRow>& validation);

/// The lowest validation loss; null if there is none, or all are NaN.
const ValidationRow* best_validation(const std::vector<ValidationRow>& validation);

/// The largest learning rate of all parts; 0 if none is trained.
double largest_rate(const StepRow& step);

/// Summary of a run's steps.
struct StepFigures {
  double last_tenth;  ///< mean loss of the last tenth of the steps; NaN without steps
  double seconds;     ///< mean of a step; NaN without steps
  std::int64_t clipped = 0, skipped = 0;
};
StepFigures step_figures(const std::vector<StepRow>& steps);

}  // namespace mantissa
