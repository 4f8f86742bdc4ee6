#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

namespace mantissa {

/// The weight of a log line, ascending. The runs database, JSON and events between processes hold
/// its number.
enum class LogLevel { debug, info, warning, error };

/// Names of all levels, in their order: in log.txt and of --log-level.
constexpr std::array<std::string_view, 4> kLogLevelNames{"debug", "info", "warning", "error"};

constexpr std::string_view log_level_name(LogLevel level) {
  return kLogLevelNames[static_cast<std::size_t>(level)];
}

/// The level of a stored number; the nearest one for numbers that no level has.
constexpr LogLevel log_level_of(int number) {
  return static_cast<LogLevel>(std::clamp(number, 0, 3));
}

}  // namespace mantissa
