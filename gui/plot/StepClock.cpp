#include "gui/plot/StepClock.h"

#include <algorithm>
#include <cmath>

namespace mantissa::gui {

void StepClock::append(std::int64_t step, double seconds) {
  const auto at = std::lower_bound(steps_.begin(), steps_.end(), step);
  ends_.resize(static_cast<std::size_t>(at - steps_.begin()));
  steps_.erase(at, steps_.end());
  // Not measured, or not a time: the step takes none.
  const double own = std::isfinite(seconds) && seconds > 0 ? seconds : 0;
  if (steps_.empty()) {
    before_first_ = step - 1;
  }
  const std::int64_t before = steps_.empty() ? before_first_ : steps_.back();
  ends_.push_back(total() + own * static_cast<double>(step - before));
  steps_.push_back(step);
}

void StepClock::clear() {
  steps_.clear();
  ends_.clear();
}

double StepClock::seconds_per_step() const {
  return empty() ? 0 : total() / static_cast<double>(steps_.back() - before_first_);
}

double StepClock::end_of(std::int64_t step) const {
  const auto at = std::lower_bound(steps_.begin(), steps_.end(), step);
  if (empty() || step <= before_first_) {
    return static_cast<double>(step - before_first_) * seconds_per_step();
  }
  if (at == steps_.end()) {
    return total() + static_cast<double>(step - steps_.back()) * seconds_per_step();
  }
  const auto i = static_cast<std::size_t>(at - steps_.begin());
  const std::int64_t from = i == 0 ? before_first_ : steps_[i - 1];
  const double start = i == 0 ? 0 : ends_[i - 1];
  const double share = static_cast<double>(step - from) / static_cast<double>(*at - from);
  return start + share * (ends_[i] - start);
}

std::int64_t StepClock::first_ending_from(double seconds) const {
  const auto at = std::lower_bound(ends_.begin(), ends_.end(), seconds);
  if (at != ends_.end()) {
    return steps_[static_cast<std::size_t>(at - ends_.begin())];
  }
  const double pace = seconds_per_step();
  const std::int64_t last = empty() ? before_first_ : steps_.back();
  return pace > 0 ? last + static_cast<std::int64_t>(std::ceil((seconds - total()) / pace))
                  : last + 1;
}

std::int64_t StepClock::nearest(double seconds) const {
  const auto at = std::lower_bound(ends_.begin(), ends_.end(), seconds);
  if (empty()) {
    return before_first_;
  }
  const auto i = static_cast<std::size_t>(at - ends_.begin());
  if (i == ends_.size() || (i > 0 && seconds - ends_[i - 1] < ends_[i] - seconds)) {
    return steps_[i - 1];
  }
  return steps_[i];
}

}  // namespace mantissa::gui
