#pragma once

#include <cmath>
#include <fmt/format.h>
#include <string>

namespace mantissa {

/// A share of 1 as a percentage of two digits, without powers of ten: "0.25%", "170%".
inline std::string percent_text(double share) {
  const double percent = 100 * share;
  return std::abs(percent) < 99.5 ? fmt::format("{:.2g}%", percent)
                                  : fmt::format("{:.0f}%", percent);
}

}  // namespace mantissa
