#include "gui/plot/PlotLink.h"

#include <algorithm>
#include <cmath>

namespace mantissa::gui {

void PlotLink::set_data_range(std::int64_t first, std::int64_t last) {
  if (first_ == first && last_ == last) {
    return;
  }
  first_ = first;
  last_ = last;
  if (following_) {
    follow();
  }
}

void PlotLink::follow() {
  const double from = static_cast<double>(first_);
  // A margin of half a step keeps the last point off the frame.
  const double to = std::max(static_cast<double>(last_) + 0.5, from + 1);
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
  if (to - from < kMinSpan) {
    const double centre = (from + to) / 2;
    from = centre - kMinSpan / 2;
    to = centre + kMinSpan / 2;
  }
  const double widest = 4 * std::max(static_cast<double>(last_ - first_), 100.0);
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
