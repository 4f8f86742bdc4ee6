#include "gui/precision/FrontPlot.h"

#include <QMouseEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>
#include <utility>

#include "gui/base/Text.h"
#include "gui/plot/Axis.h"

namespace mantissa::gui {
namespace {

constexpr double kLeastError = 1e-4;  ///< per cent; an exact choice is drawn there
constexpr double kReach = 14;         ///< pixels from a point that still mean it

double percent(const PrecisionPoint& point) {
  return std::isfinite(point.gradient_error) ? std::max(100 * point.gradient_error, kLeastError)
                                             : 100;
}

}  // namespace

FrontPlot::FrontPlot(const Theme* theme, QWidget* parent) : QWidget(parent), theme_(theme) {
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
  setAccessibleName(tr("Memory against the gradients' error"));
  connect(theme_, &Theme::changed, this, qOverload<>(&QWidget::update));
}

void FrontPlot::show_points(std::vector<PrecisionPoint> points) {
  points_ = std::move(points);
  selected_ = -1;
  update();
}

void FrontPlot::select(int index) {
  selected_ = index;
  update();
}

QRectF FrontPlot::area() const {
  const QFontMetrics metrics(font());
  const int left = metrics.horizontalAdvance(QStringLiteral("0.0001%")) + 12;
  return QRectF(left, 8 + metrics.height(), width() - left - 16,
                height() - 3 * metrics.height() - 20);
}

FrontPlot::Range FrontPlot::range() const {
  Range r;
  if (points_.empty()) {
    return r;
  }
  const auto [small, large] = std::ranges::minmax(points_, {}, &PrecisionPoint::peak_bytes);
  const auto least = static_cast<double>(small.peak_bytes);
  const auto most = static_cast<double>(large.peak_bytes);
  const double margin = std::max(0.08 * (most - least), 0.02 * most);
  r.least_bytes = std::max(least - margin, 0.0);
  r.most_bytes = most + margin;
  const auto [exact, rough] = std::ranges::minmax(points_, {}, percent);
  r.least_error = percent(exact) / 1.5;
  r.most_error = percent(rough) * 1.5;
  return r;
}

QPointF FrontPlot::place(int index) const {
  const PrecisionPoint& point = points_[static_cast<std::size_t>(index)];
  const Range r = range();
  const QRectF a = area();
  const double x =
      ValueScale(r.least_bytes, r.most_bytes, false).share(static_cast<double>(point.peak_bytes));
  const double y = ValueScale(r.least_error, r.most_error, true).share(percent(point));
  return {a.left() + x * a.width(), a.bottom() - y * a.height()};
}

void FrontPlot::paintEvent(QPaintEvent*) {
  const ThemeColors& c = theme_->colors();
  QPainter p(this);
  p.setRenderHint(QPainter::Antialiasing);
  const QFontMetrics metrics(font());
  const Range r = range();
  const QRectF a = area();
  const ValueScale across(r.least_bytes, r.most_bytes, false),
      up(r.least_error, r.most_error, true);
  p.setPen(c.muted);
  p.drawText(QPointF(8, metrics.ascent() + 2), tr("Gradients off"));
  const QString memory = tr("Memory");
  p.drawText(
      QPointF(a.right() - metrics.horizontalAdvance(memory), height() - metrics.descent() - 2),
      memory);
  for (const Tick& tick : linear_ticks(r.least_bytes, r.most_bytes, 5)) {
    const double x = a.left() + across.share(tick.value) * a.width();
    p.setPen(c.grid);
    p.drawLine(QPointF(x, a.top()), QPointF(x, a.bottom()));
    const QString text = format_bytes(static_cast<std::uint64_t>(std::max(tick.value, 0.0)));
    const double half = metrics.horizontalAdvance(text) / 2.0;
    p.setPen(c.muted);
    p.drawText(
        QPointF(std::clamp(x - half, 0.0, width() - 2 * half), a.bottom() + metrics.height()),
        text);
  }
  for (const Tick& tick : log_ticks(r.least_error, r.most_error, 4)) {
    const double y = a.bottom() - up.share(tick.value) * a.height();
    p.setPen(c.grid);
    p.drawLine(QPointF(a.left(), y), QPointF(a.right(), y));
    if (!tick.label.isEmpty()) {
      p.setPen(c.muted);
      p.drawText(QRectF(0, y - metrics.height() / 2.0, a.left() - 6, metrics.height()),
                 Qt::AlignRight | Qt::AlignVCenter, percent_text(tick.label));
    }
  }
  p.setPen(QPen(c.border, 1));
  p.setBrush(Qt::NoBrush);
  p.drawRect(a);
  for (int i = 0; i < static_cast<int>(points_.size()); ++i) {
    const double size = i == selected_ ? 7 : 5;
    p.setPen(QPen(i == selected_ ? c.text : c.series[0], 2));
    p.setBrush(i == 0 ? c.surface : c.series[0]);
    p.drawEllipse(place(i), size, size);
  }
  if (!points_.empty()) {
    p.setPen(c.muted);
    p.drawText(place(0) + QPointF(10, -8), tr("now"));
  }
}

void FrontPlot::mousePressEvent(QMouseEvent* event) {
  int nearest = -1;
  double least = kReach;
  for (int i = 0; i < static_cast<int>(points_.size()); ++i) {
    const QPointF away = place(i) - event->position();
    const double distance = std::hypot(away.x(), away.y());
    if (distance < least) {
      least = distance;
      nearest = i;
    }
  }
  if (nearest >= 0) {
    select(nearest);
    emit selected_by_click(nearest);
  }
}

}  // namespace mantissa::gui
