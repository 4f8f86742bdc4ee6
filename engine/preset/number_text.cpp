#include "engine/preset/number_text.h"

#include <cmath>
#include <cstdint>
#include <fmt/format.h>

namespace mantissa::value_io {

nlohmann::json number_to_json(double value) {
  if (std::abs(value) < 1e15 && value == std::floor(value)) {
    return static_cast<std::int64_t>(value);
  }
  return value;
}

Message whole_number(double min, double max) {
  return message<"a whole number from {least} to {most}">(fmt::format("{:.0f}", min),
                                                          fmt::format("{:.0f}", max));
}

}  // namespace mantissa::value_io
