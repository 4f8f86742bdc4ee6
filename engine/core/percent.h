#pragma once

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <string>

namespace mantissa {

/// A share of 1 as a percentage of so many digits, without powers of ten: "0.25%", "170%", "∞%";
/// "NaN" of none.
inline std::string percent_text(double share, int digits = 2) {
  const double percent = 100 * share;
  if (std::isnan(percent)) {
    return "NaN";
  }
  if (std::isinf(percent)) {
    return percent > 0 ? "∞%" : "−∞%";
  }
  const int before =
      percent == 0 ? 1 : 1 + static_cast<int>(std::floor(std::log10(std::abs(percent))));
  std::string text = fmt::format("{:.{}f}", percent, std::max(0, digits - before));
  if (text.find('.') != std::string::npos) {
    text.resize(text.find_last_not_of('0') + 1);
    text.resize(text.find_last_not_of('.') + 1);
  }
  return text + '%';
}

}  // namespace mantissa
