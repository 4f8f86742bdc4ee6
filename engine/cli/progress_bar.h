#pragma once

#include <cstdint>
#include <string>

namespace mantissa {

/// Remaining time from a smoothed time per unit, so that a single slow unit doesn't distort it.
class EtaEstimate {
 public:
  /// Unit `done` of a phase was reached at `seconds` on a steady clock.
  void update(std::int64_t done, double seconds);
  /// Seconds per unit; 0 while unknown.
  double seconds_per_unit() const;
  /// Negative while unknown.
  double remaining(std::int64_t done, std::int64_t total) const;

 private:
  double smoothed_ = 0, weight_ = 0;
  double last_time_ = 0;
  std::int64_t last_done_ = -1;
};

/// "▕████▌    ▏" of `width` cells between its ends; '#' without `unicode`.
std::string progress_bar(double share, int width, bool unicode);

}  // namespace mantissa
