#pragma once

#include <cstdint>
#include <vector>

#include "engine/cli/commands.h"

namespace mantissa {

/// Results of a run, for the summary at its end.
struct RunRecord {
  RunResult result;
  std::int64_t before = 0;     ///< steps of the run that other processes took, before this one's
  std::vector<double> losses;  ///< of every step of this process that was not skipped
  std::vector<SampleRecord> samples;

  /// Mean over the first or last tenth, at least one step; NaN if there are none.
  double first_loss() const;
  double last_loss() const;
};

/// Trains with progress on the terminal, as events, or relayed to a program that shows the run and
/// makes requests; Ctrl+C saves and stops.
RunRecord run_job(CommandSession& session, const JobSpec& job);

}  // namespace mantissa
