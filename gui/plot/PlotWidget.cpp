#include "gui/plot/PlotWidget.h"

#include <QElapsedTimer>
#include <QEvent>
#include <QLocale>
#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>

namespace mantissa {
namespace {

constexpr double kOutlierShare = 0.02;
constexpr double kMarkerGap = 7;  // pixels between NaN markers of one crowd

QString step_text(std::int64_t step) {
  return QLocale::c().toString(static_cast<qlonglong>(step));
}

QColor mix(const QColor& a, const QColor& b, double share) {
  const auto one = [&](int x, int y) { return static_cast<int>(x + (y - x) * share + 0.5); };
  return QColor(one(a.red(), b.red()), one(a.green(), b.green()), one(a.blue(), b.blue()));
}

void draw_marker(QPainter& p, PlotMarker::Kind kind, QPointF at, const ThemeColors& colors) {
  p.setPen(QPen(colors.surface, 1));
  switch (kind) {
    case PlotMarker::Kind::skipped: {  // hollow triangle pointing down
      const QPointF shape[] = {at + QPointF(-4.5, -4), at + QPointF(4.5, -4), at + QPointF(0, 4)};
      p.setPen(QPen(colors.warning, 1.4));
      p.setBrush(colors.surface);
      p.drawPolygon(shape, 3);
      break;
    }
    case PlotMarker::Kind::saved: {  // diamond
      const QPointF shape[] = {at + QPointF(0, -4.5), at + QPointF(4.5, 0), at + QPointF(0, 4.5),
                               at + QPointF(-4.5, 0)};
      p.setBrush(colors.ok);
      p.drawPolygon(shape, 4);
      break;
    }
    case PlotMarker::Kind::sample:  // square
      p.setBrush(colors.series[3]);
      p.drawRect(QRectF(at - QPointF(3.5, 3.5), QSizeF(7, 7)));
      break;
    case PlotMarker::Kind::clipped: {  // filled triangle pointing up
      const QPointF shape[] = {at + QPointF(-4, 3), at + QPointF(4, 3), at + QPointF(0, -4)};
      p.setBrush(colors.muted);
      p.drawPolygon(shape, 3);
      break;
    }
  }
}

}  // namespace

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
  // Half a step of air keeps the last point off the frame.
  const double to = std::max(static_cast<double>(last_) + 0.5, from + 20);
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

PlotWidget::PlotWidget(const QString& title, PlotLink* link, const Theme* theme, QWidget* parent)
    : QWidget(parent), title_(title), link_(link), theme_(theme) {
  setMouseTracking(true);
  setFocusPolicy(Qt::StrongFocus);
  setAttribute(Qt::WA_OpaquePaintEvent);
  setAccessibleName(tr("Plot of %1").arg(title));
  setAccessibleDescription(
      tr("Arrow keys move, plus and minus zoom, 0 shows the whole run. Wheel zooms, drag moves, "
         "Shift and drag zooms into a box, double click resets."));
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

double PlotWidget::x_to_pixel(double step) const {
  const QRectF& area = area_;
  return area.left() + (step - link_->from()) / (link_->to() - link_->from()) * area.width();
}

double PlotWidget::pixel_to_x(double pixel) const {
  const QRectF& area = area_;
  return link_->from() + (pixel - area.left()) / area.width() * (link_->to() - link_->from());
}

double PlotWidget::y_to_pixel(double value) const {
  const QRectF& area = area_;
  double share = 0;
  if (log_y_) {
    // Zero and less have no place on this axis: they lie just below it.
    share = value > 0 ? std::log(value / y_low_) / std::log(y_high_ / y_low_) : -0.5;
  } else {
    share = (value - y_low_) / (y_high_ - y_low_);
  }
  return area.bottom() - std::clamp(share, -1e4, 1e4) * area.height();
}

double PlotWidget::pixel_to_y(double pixel) const {
  const QRectF& area = area_;
  const double share = (area.bottom() - pixel) / area.height();
  return log_y_ ? y_low_ * std::pow(y_high_ / y_low_, share) : y_low_ + share * (y_high_ - y_low_);
}

void PlotWidget::gather(int device_width) {
  gathered_.resize(series_.size());
  for (std::size_t i = 0; i < series_.size(); ++i) {
    const PlotSeries& s = series_[i];
    Gathered& g = gathered_[i];
    s.raw->columns(link_->from(), link_->to(), device_width, g.raw);
    const auto a = s.raw->lower_bound(static_cast<std::int64_t>(std::floor(link_->from())));
    const auto b = s.raw->lower_bound(static_cast<std::int64_t>(std::ceil(link_->to())));
    g.dense = b - a > static_cast<std::size_t>(2 * device_width);
    if (smoothing(s)) {
      s.smoothed->update(*s.raw);
      s.smoothed->store().columns(link_->from(), link_->to(), device_width, g.smooth);
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
  // A bound is worth showing only where the data comes near it.
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

void PlotWidget::paint_one(CurveRaster& raster, const SeriesStore& store,
                           const std::vector<Extent>& columns, bool dense, double width,
                           QColor color, bool stepped, double scale) {
  const QRectF& area = area_;
  const auto to_row = [&](double value) { return (y_to_pixel(value) - area.top()) * scale; };
  if (dense) {
    spans_.assign(columns.size(), {});
    for (std::size_t c = 0; c < columns.size(); ++c) {
      if (!columns[c].empty()) {
        spans_[c] = {to_row(columns[c].max), to_row(columns[c].min)};
      }
    }
    raster.band(spans_, width, color);
    return;
  }
  const auto steps = store.steps();
  const auto values = store.values();
  std::size_t i = store.lower_bound(static_cast<std::int64_t>(std::floor(link_->from())));
  i = i > 0 ? i - 1 : 0;
  const double per_step = area.width() * scale / (link_->to() - link_->from());
  points_.clear();
  const auto flush = [&] {
    if (points_.size() == 1) {
      raster.dot(points_[0], std::max(1.2 * width, 2.0 * scale), color);
    } else {
      raster.line(points_, width, color);
    }
    points_.clear();
  };
  for (; i < steps.size(); ++i) {
    const double x = (static_cast<double>(steps[i]) - link_->from()) * per_step;
    if (!std::isfinite(values[i])) {
      flush();
    } else {
      const double y = to_row(values[i]);
      if (stepped && !points_.empty()) {
        points_.emplace_back(x, points_.back().y());
      }
      points_.emplace_back(x, y);
    }
    if (static_cast<double>(steps[i]) > link_->to()) {
      break;
    }
  }
  flush();
}

void PlotWidget::paint_curves(double scale) {
  const QRectF& area = area_;
  const QSize size(static_cast<int>(std::ceil(area.width() * scale)),
                   static_cast<int>(std::ceil(area.height() * scale)));
  if (image_.size() != size) {
    image_ = QImage(size, QImage::Format_RGB32);
  }
  // Drawn in device pixels; the ratio counts only when the image is shown.
  image_.setDevicePixelRatio(1);
  const ThemeColors& colors = theme_->colors();
  image_.fill(colors.surface);
  gather(size.width());
  fit_y();

  QPainter grid(&image_);
  grid.setPen(QPen(colors.grid, 0));
  const int rows = std::max(2, static_cast<int>(area.height() / 42));
  for (const Tick& t :
       log_y_ ? log_ticks(y_low_, y_high_, rows) : linear_ticks(y_low_, y_high_, rows)) {
    const double y = (y_to_pixel(t.value) - area.top()) * scale;
    grid.drawLine(QPointF(0, y), QPointF(size.width(), y));
  }
  for (const Tick& t : linear_ticks(link_->from(), link_->to(),
                                    std::max(2, static_cast<int>(area.width() / 110)), true)) {
    const double x = (x_to_pixel(t.value) - area.left()) * scale;
    grid.drawLine(QPointF(x, 0), QPointF(x, size.height()));
  }
  grid.end();

  CurveRaster raster(image_);
  for (std::size_t i = 0; i < series_.size(); ++i) {
    const PlotSeries& s = series_[i];
    const Gathered& g = gathered_[i];
    const QColor color = colors.series[static_cast<std::size_t>(s.color) % colors.series.size()];
    if (s.dashed) {
      continue;
    }
    const bool smooth = smoothing(s);
    const QColor raw = smooth ? mix(color, colors.surface, colors.dark ? 0.62 : 0.66) : color;
    paint_one(raster, *s.raw, g.raw, g.dense, (smooth ? 1.0 : 1.5) * scale, raw, s.stepped, scale);
  }
  // Smoothed lines lie over every raw one.
  for (std::size_t i = 0; i < series_.size(); ++i) {
    const PlotSeries& s = series_[i];
    if (smoothing(s)) {
      paint_one(raster, s.smoothed->store(), gathered_[i].smooth, gathered_[i].dense, 2.0 * scale,
                colors.series[static_cast<std::size_t>(s.color) % colors.series.size()], false,
                scale);
    }
  }
}

void PlotWidget::paint_axes(QPainter& p) const {
  const QRectF& area = area_;
  const ThemeColors& colors = theme_->colors();
  p.setPen(colors.muted);
  const QFontMetrics metrics(font());
  const int rows = std::max(2, static_cast<int>(area.height() / 42));
  double last_y = std::numeric_limits<double>::infinity();
  for (const Tick& t :
       log_y_ ? log_ticks(y_low_, y_high_, rows) : linear_ticks(y_low_, y_high_, rows)) {
    const double y = y_to_pixel(t.value);
    if (t.label.isEmpty() || last_y - y < metrics.height()) {
      continue;
    }
    last_y = y;
    p.drawText(QRectF(0, y - metrics.height() / 2.0, area.left() - 7, metrics.height()),
               Qt::AlignRight | Qt::AlignVCenter, t.label);
  }
  if (step_labels_) {
    for (const Tick& t : linear_ticks(link_->from(), link_->to(),
                                      std::max(2, static_cast<int>(area.width() / 110)), true)) {
      const double x = x_to_pixel(t.value);
      const double half = metrics.horizontalAdvance(t.label) / 2.0 + 2;
      const double left = std::clamp(x - half, 0.0, std::max(width() - 2 * half, 0.0));
      p.drawText(QRectF(left, area.bottom() + 3, 2 * half, metrics.height()), Qt::AlignCenter,
                 t.label);
    }
  }
  p.setPen(QPen(colors.border, 1));
  p.setBrush(Qt::NoBrush);
  p.drawRect(area.adjusted(-0.5, -0.5, 0.5, 0.5));
}

void PlotWidget::paint_marks(QPainter& p) const {
  const QRectF& area = area_;
  const ThemeColors& colors = theme_->colors();
  p.save();
  p.setClipRect(area.adjusted(-1, -1, 1, 1));
  for (const PlotSeries& s : series_) {
    if (!s.dashed || s.raw->empty()) {
      continue;
    }
    const double bound = s.raw->values().back();
    const double y = y_to_pixel(bound);
    if (bound > 0 && y >= area.top() && y <= area.bottom()) {
      const QColor color = colors.series[static_cast<std::size_t>(s.color) % colors.series.size()];
      p.setPen(QPen(color, 1.2, Qt::DashLine));
      p.drawLine(QPointF(area.left(), y), QPointF(area.right(), y));
      p.setPen(color);
      const QString text = QStringLiteral("%1 %2").arg(s.name, format_number(bound));
      const QFontMetrics metrics(font());
      const bool below = y - area.top() < metrics.height() + 2;
      p.drawText(QPointF(area.right() - metrics.horizontalAdvance(text) - 5,
                         below ? y + metrics.ascent() + 1 : y - 4),
                 text);
    }
  }
  p.setRenderHint(QPainter::Antialiasing);
  for (std::size_t i = 0; i < series_.size(); ++i) {
    if (series_[i].dashed) {
      continue;
    }
    const std::vector<Extent>& columns = gathered_[i].raw;
    const double per_column =
        area.width() / std::max<double>(1, static_cast<double>(columns.size()));
    double last_nan = -1e9, last_over = -1e9;
    for (std::size_t c = 0; c < columns.size(); ++c) {
      const double x = area.left() + (static_cast<double>(c) + 0.5) * per_column;
      if (columns[c].non_finite > 0 && x - last_nan >= kMarkerGap) {
        last_nan = x;
        p.setPen(QPen(colors.error, 1, Qt::DotLine));
        p.drawLine(QPointF(x, area.top() + 12), QPointF(x, area.bottom()));
        const QPointF shape[] = {
            {x - 5, area.top() + 11}, {x + 5, area.top() + 11}, {x, area.top() + 2}};
        p.setPen(QPen(colors.surface, 1));
        p.setBrush(colors.error);
        p.drawPolygon(shape, 3);
      }
      if (!columns[c].empty() && columns[c].max > y_high_ && x - last_over >= kMarkerGap) {
        last_over = x;
        draw_marker(p, PlotMarker::Kind::clipped, {x, area.top() + 5}, colors);
      }
    }
  }
  double last_skip = -1e9;
  for (const PlotMarker& m : markers_) {
    const double x = x_to_pixel(static_cast<double>(m.step));
    if (x < area.left() - 4 || x > area.right() + 4) {
      continue;
    }
    const bool top = m.kind == PlotMarker::Kind::skipped;
    if (top && x - last_skip < 2) {
      continue;
    }
    last_skip = top ? x : last_skip;
    draw_marker(p, m.kind, {x, top ? area.top() + 8 : area.bottom() - 7}, colors);
  }
  p.restore();
}

void PlotWidget::paint_header(QPainter& p) const {
  const ThemeColors& colors = theme_->colors();
  const QRectF& area = area_;
  QFont bold = font();
  bold.setWeight(QFont::DemiBold);
  const QFontMetrics bold_metrics(bold), metrics(font());
  const double baseline = 4 + metrics.ascent();
  p.setFont(bold);
  p.setPen(colors.text);
  p.drawText(QPointF(area.left(), baseline), title_);
  p.setFont(font());

  // The readout is set from the right, so digits that change do not push the words about.
  double x = area.right();
  const double stop = area.left() + bold_metrics.horizontalAdvance(title_) + 12;
  const auto put = [&](const QString& text, const QColor& color) {
    x -= metrics.horizontalAdvance(text);
    if (x < stop) {
      x = -1e9;
      return;
    }
    p.setPen(color);
    p.drawText(QPointF(x, baseline), text);
  };
  for (std::size_t i = series_.size(); i-- > 0;) {
    const PlotSeries& s = series_[i];
    if (s.dashed || s.raw->empty()) {
      continue;
    }
    const std::size_t at = link_->hover() ? s.raw->nearest(*link_->hover()) : s.raw->size() - 1;
    const QColor color = colors.series[static_cast<std::size_t>(s.color) % colors.series.size()];
    if (smoothing(s) && at < s.smoothed->store().size()) {
      put(format_number(s.smoothed->store().values()[at]), colors.text);
      put(tr("smoothed "), colors.muted);
      put(QStringLiteral("   "), colors.muted);
    }
    put(format_number(s.raw->values()[at]),
        std::isfinite(s.raw->values()[at]) ? colors.text : colors.error);
    put(s.name + QLatin1Char(' '), colors.muted);
    x -= 16;
    if (x >= stop) {
      p.fillRect(QRectF(x + 2, baseline - metrics.ascent() / 2.6, 10, 3), color);
    }
    put(QStringLiteral("   "), colors.muted);
  }
  if (link_->hover()) {
    put(tr("step %1").arg(step_text(*link_->hover())), colors.muted);
  }
}

void PlotWidget::paint_hover(QPainter& p) const {
  const ThemeColors& colors = theme_->colors();
  const QRectF& area = area_;
  p.setRenderHint(QPainter::Antialiasing);
  if (drag_ == Drag::box) {
    const QRectF box = QRectF(press_, current_).normalized() & area;
    QColor fill = colors.accent;
    fill.setAlphaF(0.15F);
    p.setPen(QPen(colors.accent, 1));
    p.setBrush(fill);
    p.drawRect(box);
    return;
  }
  if (!link_->hover()) {
    return;
  }
  const double x = x_to_pixel(static_cast<double>(*link_->hover()));
  if (x < area.left() || x > area.right()) {
    return;
  }
  p.setPen(QPen(colors.muted, 1, Qt::DashLine));
  p.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()));
  QStringList notes;
  for (const PlotSeries& s : series_) {
    if (s.dashed || s.raw->empty()) {
      continue;
    }
    const std::size_t at = s.raw->nearest(*link_->hover());
    const double value = s.raw->values()[at];
    if (!std::isfinite(value)) {
      notes << tr("▲ step %1: %2 is %3")
                   .arg(step_text(s.raw->steps()[at]), s.name, format_number(value));
      continue;
    }
    const auto dot = [&](double v, double radius) {
      const double y = y_to_pixel(v);
      if (y >= area.top() && y <= area.bottom()) {
        p.setPen(QPen(colors.surface, 1.2));
        p.setBrush(colors.series[static_cast<std::size_t>(s.color) % colors.series.size()]);
        p.drawEllipse(QPointF(x, y), radius, radius);
      }
    };
    dot(value, 3);
    if (smoothing(s) && at < s.smoothed->store().size()) {
      dot(s.smoothed->store().values()[at], 4);
    }
  }
  for (const PlotMarker& m : markers_) {
    if (std::abs(x_to_pixel(static_cast<double>(m.step)) - x) <= 5 && notes.size() < 6) {
      notes << tr("step %1: %2").arg(step_text(m.step), m.text);
    }
  }
  if (notes.isEmpty()) {
    return;
  }
  const QFontMetrics metrics(font());
  double wide = 0;
  for (const QString& n : notes) {
    wide = std::max<double>(wide, metrics.horizontalAdvance(n));
  }
  QRectF bubble(x + 10, area.top() + 16, wide + 16,
                metrics.height() * static_cast<double>(notes.size()) + 8);
  if (bubble.right() > area.right()) {
    bubble.moveRight(x - 10);
  }
  p.setPen(QPen(colors.strong_border, 1));
  p.setBrush(colors.raised);
  p.drawRoundedRect(bubble, 5, 5);
  p.setPen(colors.text);
  p.drawText(bubble.adjusted(8, 4, -8, -4), Qt::AlignLeft | Qt::AlignTop,
             notes.join(QLatin1Char('\n')));
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

}  // namespace mantissa
