#pragma once

#include <cstdint>
#include <optional>

#include "engine/core/message.h"

namespace mantissa {

/// The log's line for a pause after `step`.
Message pause_note(std::int64_t step);
/// The step of such a line, also from a run's stored log; nothing for any other.
std::optional<std::int64_t> paused_step(const Message& line);

}  // namespace mantissa
