#include "gui/plot/PlotWidget.h"

#include <QElapsedTimer>
#include <QEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>

namespace mantissa::gui {
namespace {

constexpr double kOutlierShare = 0.02;

}  // namespace

PlotWidget::PlotWidget(const QString& title, PlotLink* link, const Theme* theme, QWidget* parent)
    : QWidget(parent), title_(title), link_(link), theme_(theme) {
  setMouseTracking(true);
  setFocusPolicy(Qt::StrongFocus);
  setAttribute(Qt::WA_OpaquePaintEvent);
  setAccessibleName(tr("Plot of %1").arg(title));
  setAccessibleDescription(tr(
      "Arrow keys move, plus and minus zoom, 0 shows the whole run. Wheel zooms, drag moves, "
      "Shift and drag zooms into a box, double click resets. N and P go to the next and previous "
      "marker, Enter opens it."));
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
  connect(link_, &PlotLink::view_changed, this, qOverload<>(&QWidget::update));
  connect(link_, &PlotLink::hover_changed, this, qOverload<>(&QWidget::update));
  connect(theme_, &Theme::changed, this, qOverload<>(&QWidget::update));
  update_area();
}

void PlotWidget::set_series(std::vector<PlotSeries> series) {
  series_ = std::move(series);
  update();
}

void PlotWidget::set_markers(std::vector<PlotMarker> markers) {
  markers_ = std::move(markers);
  update();
}

void PlotWidget::set_log_y(bool on) {
  log_y_ = on;
  manual_y_.reset();
  update();
}

void PlotWidget::set_clip_outliers(bool on) {
  clip_outliers_ = on;
  manual_y_.reset();
  update();
}

void PlotWidget::set_empty_text(const QString& text) {
  empty_text_ = text;
  update();
}

void PlotWidget::set_step_labels(bool on) {
  step_labels_ = on;
  update_area();
  update();
}

void PlotWidget::refresh() {
  if (isVisible()) {
    update();
  }
}

void PlotWidget::reset_view() {
  manual_y_.reset();
  link_->reset();
  update();
}

void PlotWidget::update_area() {
  const QFontMetrics metrics(font());
  const double left = metrics.horizontalAdvance(QStringLiteral("0.00005")) + 16;
  const double top = metrics.height() + 10;
  const double bottom = step_labels_ ? metrics.height() + 8 : 7;
  // Whole pixels, so that the image of the curves is shown without resampling.
  area_ = QRectF(std::round(left), std::round(top), std::max(width() - std::round(left) - 10, 20.0),
                 std::max(height() - std::round(top) - std::round(bottom), 20.0));
}

void PlotWidget::resizeEvent(QResizeEvent*) {
  update_area();
}

void PlotWidget::changeEvent(QEvent* event) {
  if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange) {
    update_area();
  }
  QWidget::changeEvent(event);
}

bool PlotWidget::has_time() const {
  return !series_.empty() && std::all_of(series_.begin(), series_.end(),
                                         [](const PlotSeries& s) { return s.clock != nullptr; });
}

double PlotWidget::x_of(const PlotSeries& s, std::int64_t step) const {
  return by_time() ? s.clock->end_of(step) : static_cast<double>(step);
}

double PlotWidget::x_of(std::int64_t step) const {
  return series_.empty() ? static_cast<double>(step) : x_of(series_.front(), step);
}

std::int64_t PlotWidget::first_from(const PlotSeries& s, double x) const {
  return by_time() ? s.clock->first_ending_from(x) : static_cast<std::int64_t>(std::ceil(x));
}

std::size_t PlotWidget::index_at_hover(const PlotSeries& s) const {
  const std::int64_t step = *link_->hover();
  return s.raw->nearest(by_time() ? s.clock->nearest(x_of(step)) : step);
}

std::vector<Tick> PlotWidget::x_ticks() const {
  const int target = std::max(2, static_cast<int>(area_.width() / 110));
  return by_time() ? time_ticks(link_->from(), link_->to(), target)
                   : linear_ticks(link_->from(), link_->to(), target, true);
}

std::vector<Tick> PlotWidget::y_ticks() const {
  const int target = std::max(2, static_cast<int>(area_.height() / 42));
  return log_y_ ? log_ticks(y_low_, y_high_, target) : linear_ticks(y_low_, y_high_, target);
}

double PlotWidget::x_to_pixel(double x) const {
  const QRectF& area = area_;
  return area.left() + (x - link_->from()) / (link_->to() - link_->from()) * area.width();
}

double PlotWidget::pixel_to_x(double pixel) const {
  const QRectF& area = area_;
  return link_->from() + (pixel - area.left()) / area.width() * (link_->to() - link_->from());
}

double PlotWidget::y_to_pixel(double value) const {
  const double share = ValueScale(y_low_, y_high_, log_y_).share(value);
  return area_.bottom() - std::clamp(share, -kFarShare, kFarShare) * area_.height();
}

double PlotWidget::pixel_to_y(double pixel) const {
  return ValueScale(y_low_, y_high_, log_y_).value((area_.bottom() - pixel) / area_.height());
}

void PlotWidget::columns_of(const PlotSeries& s, const SeriesStore& store, int count,
                            std::vector<Extent>& out) const {
  if (!by_time()) {
    store.columns(link_->from(), link_->to(), count, out);
    return;
  }
  // Steps are not of one length on this axis.
  const double width = (link_->to() - link_->from()) / std::max(count, 1);
  out.assign(static_cast<std::size_t>(std::max(count, 0)), {});
  std::int64_t from = first_from(s, link_->from());
  for (std::size_t c = 0; c < out.size(); ++c) {
    const std::int64_t to = first_from(s, link_->from() + static_cast<double>(c + 1) * width);
    if (to > from) {
      out[c] = store.extent(from, to);
    }
    from = to;
  }
}

void PlotWidget::gather(int device_width) {
  gathered_.resize(series_.size());
  for (std::size_t i = 0; i < series_.size(); ++i) {
    const PlotSeries& s = series_[i];
    Gathered& g = gathered_[i];
    columns_of(s, *s.raw, device_width, g.raw);
    const auto a = s.raw->lower_bound(first_from(s, std::floor(link_->from())));
    const auto b = s.raw->lower_bound(first_from(s, std::ceil(link_->to())));
    g.dense = b - a > static_cast<std::size_t>(2 * device_width);
    if (smoothing(s)) {
      s.smoothed->update(*s.raw);
      columns_of(s, s.smoothed->store(), device_width, g.smooth);
    }
  }
}

void PlotWidget::fit_y() {
  if (manual_y_) {
    std::tie(y_low_, y_high_) = *manual_y_;
    return;
  }
  double low = std::numeric_limits<double>::infinity(), high = -low;
  std::vector<double> lows, highs;
  for (std::size_t i = 0; i < series_.size(); ++i) {
    if (series_[i].dashed) {
      continue;
    }
    for (const Extent& e : gathered_[i].raw) {
      const double least = log_y_ ? e.positive_min : e.min;
      if (e.empty() || !std::isfinite(least)) {
        continue;
      }
      low = std::min(low, least);
      high = std::max(high, e.max);
      if (clip_outliers_) {
        lows.push_back(least);
        highs.push_back(e.max);
      }
    }
  }
  if (!(low <= high)) {
    y_low_ = log_y_ ? 0.1 : 0;
    y_high_ = 1;
    return;
  }
  if (lows.size() > 8) {
    const auto cut = static_cast<std::ptrdiff_t>(
        std::max(1.0, kOutlierShare * static_cast<double>(lows.size())));
    std::nth_element(lows.begin(), lows.begin() + cut, lows.end());
    std::nth_element(highs.begin(), highs.end() - 1 - cut, highs.end());
    low = lows[static_cast<std::size_t>(cut)];
    high = std::max(highs[highs.size() - 1 - static_cast<std::size_t>(cut)], low);
  }
  // A bound is only shown if the data comes near it.
  for (const PlotSeries& s : series_) {
    if (s.dashed && !s.raw->empty() && s.raw->values().back() > 0 &&
        s.raw->values().back() < 1.6 * high) {
      high = std::max(high, s.raw->values().back());
    }
  }
  if (log_y_) {
    const double pad = std::max(std::pow(high / low, 0.07), 1.05);
    y_low_ = low / pad;
    y_high_ = high * pad;
    return;
  }
  const double pad = high > low ? (high - low) * 0.07 : std::max(std::abs(low) * 0.1, 1e-12);
  y_low_ = low >= 0 ? std::max(low - pad, 0.0) : low - pad;
  y_high_ = high + pad;
}

void PlotWidget::paintEvent(QPaintEvent*) {
  QElapsedTimer timer;
  timer.start();
  const ThemeColors& colors = theme_->colors();
  const double scale = devicePixelRatioF();
  QPainter p(this);
  p.fillRect(rect(), colors.surface);
  paint_curves(scale);
  image_.setDevicePixelRatio(scale);
  p.drawImage(plot_area().topLeft(), image_);
  paint_axes(p);
  bool any = false;
  for (const PlotSeries& s : series_) {
    any = any || !s.raw->empty();
  }
  if (!any && !empty_text_.isEmpty()) {
    p.setPen(colors.muted);
    p.drawText(plot_area(), Qt::AlignCenter, empty_text_);
  }
  paint_marks(p);
  paint_header(p);
  paint_hover(p);
  if (hasFocus()) {
    p.setPen(QPen(colors.accent, 1));
    p.setBrush(Qt::NoBrush);
    p.drawRect(plot_area().adjusted(-0.5, -0.5, 0.5, 0.5));
  }
  last_paint_ns_ = timer.nsecsElapsed();
}

}  // namespace mantissa::gui
