#pragma once
// Lines of a run's log that more than one place writes. Nobody reads them back: rates and pauses
// are rows of the database. Paths are UTF-8.

#include <chrono>
#include <cstdint>
#include <string>

#include "engine/core/message.h"
#include "engine/store/rows.h"

namespace mantissa {

/// The log's line for a pause after `step`.
Message pause_note(std::int64_t step);
/// The log's line for a wait after `step` until `folder` had room, written when it is over.
Message disk_wait_note(std::int64_t step, std::chrono::duration<double> waited,
                       const std::string& folder);
/// The lines for what was written.
Message saved_note(std::int64_t step, const std::string& path);
Message sample_note(std::int64_t step, int prompt_index);
/// The log's line for the rates of several processes.
Message rates_note(const RunRates& rates);

}  // namespace mantissa
