#include "gui/plot/PlotLink.h"

#include <algorithm>
#include <cmath>

namespace mantissa::gui {

void PlotLink::set_by_time(bool on) {
  if (by_time_ != on) {
    by_time_ = on;
    following_ = true;
    emit axis_changed();
    emit view_changed();
  }
}

void PlotLink::set_data_range(std::int64_t first, std::int64_t last) {
  set_range(static_cast<double>(first), static_cast<double>(last), 1);
}

void PlotLink::set_time_range(double last, double per_step) {
  set_range(0, last, per_step > 0 ? per_step : 1);
}

void PlotLink::set_range(double first, double last, double step) {
  if (first_ == first && last_ == last && step_ == step) {
    return;
  }
  first_ = first;
  last_ = last;
  step_ = step;
  if (following_) {
    follow();
  }
}

void PlotLink::follow() {
  const double from = first_;
  // A margin of half a step keeps the last point off the frame.
  const double to = std::max(last_ + step_ / 2, from + step_);
  if (from != from_ || to != to_) {
    from_ = from;
    to_ = to;
    emit view_changed();
  }
}

void PlotLink::set_view(double from, double to) {
  if (!std::isfinite(from) || !std::isfinite(to)) {
    return;
  }
  const double least = kMinSpan * step_;
  if (to - from < least) {
    const double centre = (from + to) / 2;
    from = centre - least / 2;
    to = centre + least / 2;
  }
  const double widest = 4 * std::max(last_ - first_, 100 * step_);
  if (to - from > widest) {
    return;
  }
  following_ = false;
  from_ = from;
  to_ = to;
  emit view_changed();
}

void PlotLink::reset() {
  following_ = true;
  follow();
  emit view_changed();
}

void PlotLink::set_hover(std::optional<std::int64_t> step) {
  if (hover_ != step) {
    hover_ = step;
    emit hover_changed();
  }
}

}  // namespace mantissa::gui
