#include "engine/cli/progress_bar.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace mantissa {

void EtaEstimate::update(std::int64_t done, double seconds) {
  if (last_done_ >= 0 && done > last_done_) {
    const auto units = static_cast<double>(done - last_done_);
    const double each = std::max(seconds - last_time_, 0.0) / units;
    // Exponential smoothing over about 20 units, with bias correction.
    const double keep = std::pow(0.95, units);
    smoothed_ = keep * smoothed_ + (1 - keep) * each;
    weight_ = keep * weight_ + (1 - keep);
  }
  if (done != last_done_) {
    last_done_ = done;
    last_time_ = seconds;
  }
}

double EtaEstimate::seconds_per_unit() const {
  return weight_ > 0 ? smoothed_ / weight_ : 0;
}

double EtaEstimate::remaining(std::int64_t done, std::int64_t total) const {
  return weight_ > 0
             ? seconds_per_unit() * static_cast<double>(std::max<std::int64_t>(total - done, 0))
             : -1;
}

std::string progress_bar(double share, int width, bool unicode) {
  share = std::clamp(std::isfinite(share) ? share : 0.0, 0.0, 1.0);
  if (!unicode) {
    const int full = static_cast<int>(share * width);
    std::string bar(static_cast<std::size_t>(width) + 2, '.');
    std::fill_n(bar.begin() + 1, full, '#');
    bar.front() = '[';
    bar.back() = ']';
    return bar;
  }
  static constexpr std::array<const char*, 8> kPart{"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
  const int eighths = static_cast<int>(share * width * 8);
  std::string bar = "▕";
  for (int i = 0; i < eighths / 8; ++i) {
    bar += "█";
  }
  bar += kPart[static_cast<std::size_t>(eighths % 8)];
  const int used = eighths / 8 + (eighths % 8 > 0 ? 1 : 0);
  return bar + std::string(static_cast<std::size_t>(width - used), ' ') + "▏";
}

}  // namespace mantissa
