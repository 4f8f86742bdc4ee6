#pragma once
// Rates and pauses of runs before the eighth format, which kept them as lines of the log only.
// Private to engine/store.

#include <vector>

#include "engine/core/message.h"
#include "engine/store/rows.h"

namespace mantissa {

/// In the order of the log; of several for one step, the last one counts.
struct LogRows {
  std::vector<RunRates> rates;
  std::vector<PauseRow> pauses;
};

/// SQL: whether an event's `message` may be a line that has such a row.
extern const char* const kIsOldRow;

/// Adds what a line tells, by the sentences of those versions. Nobody writes such lines to be read
/// any more: today's may say it in other words.
void add_row_of_line(const Message& line, LogRows& rows);

}  // namespace mantissa
