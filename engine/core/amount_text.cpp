#include "engine/core/amount_text.h"

#include <array>
#include <cmath>
#include <fmt/format.h>

namespace mantissa {

std::string bytes_text(std::uint64_t bytes) {
  constexpr std::array<const char*, 5> kUnits{"B", "kB", "MB", "GB", "TB"};
  double value = static_cast<double>(bytes);
  std::size_t unit = 0;
  while (value >= 999.5 && unit + 1 < kUnits.size()) {
    value /= 1000;
    ++unit;
  }
  return unit == 0 ? fmt::format("{} B", bytes)
                   : fmt::format("{:.{}f} {}", value, value < 99.95 ? 1 : 0, kUnits[unit]);
}

std::string counted(std::int64_t count, std::string_view one, std::string_view many) {
  return count == 1     ? fmt::format("1 {}", one)
         : many.empty() ? fmt::format("{} {}s", count, one)
                        : fmt::format("{} {}", count, many);
}

std::string step_time_text(double seconds) {
  return seconds < 1 ? fmt::format("{:.0f} ms", 1e3 * seconds)
                     : fmt::format("{:.{}f} s", seconds, seconds < 10 ? 1 : 0);
}

std::string duration_text(double seconds) {
  if (!std::isfinite(seconds) || seconds < 0 || seconds > 1e9) {
    return "-";
  }
  const auto whole = static_cast<std::int64_t>(std::llround(seconds));
  if (whole < 3600) {
    return fmt::format("{}:{:02}", whole / 60, whole % 60);
  }
  return fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
}

std::string iteration_rate_text(double seconds_per_unit) {
  if (seconds_per_unit <= 0) {
    return {};
  }
  return seconds_per_unit < 1 ? fmt::format("{:.1f} it/s", 1 / seconds_per_unit)
                              : fmt::format("{:.1f} s/it", seconds_per_unit);
}

}  // namespace mantissa
