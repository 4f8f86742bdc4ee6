#pragma once
// Lines of a run's log that more than one place writes or reads. Paths are UTF-8.

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/core/message.h"

namespace mantissa {

/// The log's line for a pause after `step`.
Message pause_note(std::int64_t step);
/// The log's line for a wait after `step` until `folder` had room, written when it is over.
Message disk_wait_note(std::int64_t step, std::chrono::duration<double> waited,
                       const std::string& folder);
/// The lines for what was written.
Message saved_note(std::int64_t step, const std::string& path);
Message sample_note(std::int64_t step, int prompt_index);

/// How fast one of several processes computes.
struct ProcessRate {
  int process = 0;
  std::string host;
  double images_per_second = 0;  ///< while it computes
  double share = 0;              ///< of the time in which it does, at most 1
  bool slow = false;             ///< the others wait for it
};
/// How fast several processes train together, measured over the steps before `step`.
struct RunRates {
  std::int64_t step = 0;
  double images_per_second = 0;
  std::vector<ProcessRate> processes;  ///< by number
};
/// The log's line for them, and back from it; nothing for any other line.
Message rates_note(const RunRates& rates);
std::optional<RunRates> rates_of(const Message& line);

/// The step of a pause or of a wait, also from a run's stored log; nothing for any other.
std::optional<std::int64_t> paused_step(const Message& line);

}  // namespace mantissa
