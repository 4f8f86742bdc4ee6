#include "gui/precision/RatePlot.h"

#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <QToolTip>
#include <algorithm>
#include <cmath>

#include "gui/plot/Axis.h"
#include "gui/widgets/SciSpin.h"

namespace mantissa::gui {
namespace {

/// What is drawn for a step: its change at the mean loss of the start, so that the curve isn't
/// hidden by the spread of timesteps.
double paired_loss(const RateTest& test, const RatePoint& point) {
  return test.start_loss + point.loss - point.start_loss;
}

}  // namespace

RatePlot::RatePlot(const Theme* theme, QWidget* parent) : QWidget(parent), theme_(theme) {
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
  setAccessibleName(tr("Loss against learning rate"));
  setMouseTracking(true);
  connect(theme_, &Theme::changed, this, qOverload<>(&QWidget::update));
}

void RatePlot::show_test(const RateTest& test) {
  test_ = test;
  low_ = high_ = test.start_loss;
  for (const RatePoint& p : test.points) {
    if (std::isfinite(p.smoothed)) {
      low_ = std::min(low_, p.smoothed);
      high_ = std::max(high_, p.smoothed);
    }
  }
  const double margin = std::max(0.15 * (high_ - low_), 1e-3 * std::abs(test.start_loss));
  low_ -= margin;
  high_ += margin;
  setAccessibleDescription(
      test.suggestion ? tr("Suggested learning rate: %1").arg(format_exact(*test.suggestion))
                      : tr("No learning rate is suggested"));
  update();
}

void RatePlot::set_current(double rate) {
  current_ = rate;
  update();
}

QRectF RatePlot::area() const {
  const QFontMetrics metrics(font());
  const int left = metrics.horizontalAdvance(QStringLiteral("0.00000")) + 12;
  return QRectF(left, 8 + metrics.height(), width() - left - 16,
                height() - 3 * metrics.height() - 20);
}

double RatePlot::place(double rate) const {
  const QRectF a = area();
  const ValueScale across(test_->points.front().rate, test_->points.back().rate, true);
  return a.left() + across.share(rate) * a.width();
}

double RatePlot::height_of(double loss) const {
  const QRectF a = area();
  const double share = std::clamp(ValueScale(low_, high_, false).share(loss), 0.0, 1.0);
  return a.bottom() - share * a.height();
}

void RatePlot::paintEvent(QPaintEvent*) {
  if (!test_ || test_->points.size() < 2) {
    return;
  }
  const ThemeColors& c = theme_->colors();
  QPainter p(this);
  p.setRenderHint(QPainter::Antialiasing);
  paint_axes(p);
  paint_curve(p);
  if (test_->diverged) {
    paint_mark(p, *test_->diverged, tr("diverged"), c.error, Qt::DashLine, 2);
  }
  paint_mark(p, current_, tr("now %1").arg(format_exact(current_)), c.muted, Qt::DotLine, 1);
  if (test_->suggestion) {
    paint_mark(p, *test_->suggestion, tr("suggested %1").arg(format_exact(*test_->suggestion)),
               c.accent, Qt::SolidLine, 0);
  }
}

void RatePlot::paint_axes(QPainter& p) const {
  const ThemeColors& c = theme_->colors();
  const QFontMetrics metrics(font());
  const QRectF a = area();
  p.setPen(c.muted);
  p.drawText(QPointF(8, metrics.ascent() + 2), tr("Loss"));
  const QString rate = tr("Learning rate");
  p.drawText(QPointF(a.right() - metrics.horizontalAdvance(rate), height() - metrics.descent() - 2),
             rate);
  for (const Tick& tick : log_ticks(test_->points.front().rate, test_->points.back().rate, 6)) {
    const double x = place(tick.value);
    p.setPen(c.grid);
    p.drawLine(QPointF(x, a.top()), QPointF(x, a.bottom()));
    if (!tick.label.isEmpty()) {
      const QString text = format_exact(tick.value);
      const double half = metrics.horizontalAdvance(text) / 2.0;
      p.setPen(c.muted);
      p.drawText(
          QPointF(std::clamp(x - half, 0.0, width() - 2 * half), a.bottom() + metrics.height()),
          text);
    }
  }
  for (const Tick& tick : linear_ticks(low_, high_, 4)) {
    const double y = height_of(tick.value);
    p.setPen(c.grid);
    p.drawLine(QPointF(a.left(), y), QPointF(a.right(), y));
    p.setPen(c.muted);
    p.drawText(QRectF(0, y - metrics.height() / 2.0, a.left() - 6, metrics.height()),
               Qt::AlignRight | Qt::AlignVCenter, tick.label);
  }
  p.setPen(QPen(c.border, 1));
  p.setBrush(Qt::NoBrush);
  p.drawRect(a);
}

void RatePlot::paint_curve(QPainter& p) const {
  QPainterPath curve;
  QColor faded = theme_->colors().series[0];
  faded.setAlphaF(0.4F);
  p.setBrush(faded);
  p.setPen(Qt::NoPen);
  for (const RatePoint& point : test_->points) {
    const double loss = paired_loss(*test_, point);
    if (loss >= low_ && loss <= high_) {
      p.drawEllipse(QPointF(place(point.rate), height_of(loss)), 2, 2);
    }
    if (std::isfinite(point.smoothed)) {
      const QPointF at(place(point.rate), height_of(point.smoothed));
      curve.elementCount() == 0 ? curve.moveTo(at) : curve.lineTo(at);
    }
  }
  p.setBrush(Qt::NoBrush);
  p.setPen(QPen(theme_->colors().series[0], 2));
  p.drawPath(curve);
}

void RatePlot::paint_mark(QPainter& p, double rate, const QString& text, const QColor& color,
                          Qt::PenStyle style, int line) const {
  if (rate < test_->points.front().rate || rate > test_->points.back().rate) {
    return;
  }
  const QRectF a = area();
  const double x = place(rate);
  p.setPen(QPen(color, style == Qt::SolidLine ? 2 : 1, style));
  p.drawLine(QPointF(x, a.top()), QPointF(x, a.bottom()));
  const QFontMetrics metrics(font());
  const double wide = metrics.horizontalAdvance(text) + 6;
  const double left = x + wide < a.right() ? x + 6 : x - wide;
  p.setPen(color);
  p.drawText(QPointF(left, a.top() + metrics.height() * (line + 1)), text);
}

void RatePlot::mouseMoveEvent(QMouseEvent* event) {
  if (!test_ || test_->points.size() < 2) {
    return;
  }
  const double x = event->position().x();
  const RatePoint& nearest = *std::ranges::min_element(
      test_->points, {}, [&](const RatePoint& p) { return std::abs(place(p.rate) - x); });
  QToolTip::showText(event->globalPosition().toPoint(),
                     tr("Learning rate %1: loss %2, smoothed %3")
                         .arg(format_number(nearest.rate, 2), format_number(nearest.loss),
                              format_number(nearest.smoothed)),
                     this);
}

}  // namespace mantissa::gui
