#pragma once
// What is told of a run that has ended.

#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "engine/core/message.h"
#include "engine/run/run_failure.h"

namespace mantissa {

/// Refused: ended before its first step by something that the user can change.
enum class RunOutcome { finished, stopped, failed, refused };
/// "finished", "stopped", "failed", "refused".
std::string outcome_name(RunOutcome outcome);

struct RunNotice {
  RunOutcome outcome = RunOutcome::finished;
  std::string name;                                        ///< as run_name tells it
  std::string run_id;                                      ///< empty if the run got none
  std::string folder, adapter;                             ///< paths, UTF-8; empty without one
  std::int64_t steps = 0;                                  ///< the last one taken; 0: none
  double loss = std::numeric_limits<double>::quiet_NaN();  ///< of that step
  Message reason;                                          ///< why it has no result
};

/// Enters why a run ended without a result. `steps` must be known by then.
void set_failure(RunNotice& notice, const RunFailure& failure);

/// "Run failed: Zorb".
Message notice_title(const RunNotice& notice);
/// Its steps and loss, the reason or the adapter, and the folder: parts to be shown as lines.
std::vector<Message> notice_lines(const RunNotice& notice);

/// Environment variables that tell a command the same: names, such as MANTISSA_STATE, and values.
std::vector<std::pair<std::string, std::string>> notice_variables(const RunNotice& notice);

}  // namespace mantissa
