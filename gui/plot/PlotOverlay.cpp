// What PlotWidget draws over its curves: axes, markers, header and crosshair.
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "gui/base/Text.h"
#include "gui/plot/PlotWidget.h"

namespace mantissa::gui {
namespace {

constexpr double kLane = 11;      // pixels between rows of markers
constexpr double kMarkerGap = 7;  // pixels between NaN markers of one crowd

/// Markers of one step and different kinds lie over each other, a row for each kind.
int lane_of(PlotMarker::Kind kind) {
  return kind == PlotMarker::Kind::paused ? 2 : kind == PlotMarker::Kind::saved ? 1 : 0;
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
    case PlotMarker::Kind::overflow: {  // filled triangle pointing down, with a bar
      const QPointF shape[] = {at + QPointF(-4.5, -2), at + QPointF(4.5, -2), at + QPointF(0, 5)};
      p.setBrush(colors.warning);
      p.drawPolygon(shape, 3);
      p.fillRect(QRectF(at.x() - 5, at.y() - 6, 10, 2), colors.warning);
      break;
    }
    case PlotMarker::Kind::nan:
      break;
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
    case PlotMarker::Kind::paused:  // two bars
      p.setBrush(colors.accent);
      p.drawRect(QRectF(at + QPointF(-4, -4.5), QSizeF(3.5, 9)));
      p.drawRect(QRectF(at + QPointF(0.5, -4.5), QSizeF(3.5, 9)));
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

void PlotWidget::paint_axes(QPainter& p) const {
  const QRectF& area = area_;
  const ThemeColors& colors = theme_->colors();
  p.setPen(colors.muted);
  const QFontMetrics metrics(font());
  double last_y = std::numeric_limits<double>::infinity();
  for (const Tick& t : y_ticks()) {
    const double y = y_to_pixel(t.value);
    if (t.label.isEmpty() || last_y - y < metrics.height()) {
      continue;
    }
    last_y = y;
    p.drawText(QRectF(0, y - metrics.height() / 2.0, area.left() - 7, metrics.height()),
               Qt::AlignRight | Qt::AlignVCenter, t.label);
  }
  if (step_labels_) {
    for (const Tick& t : x_ticks()) {
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
      const QColor color = color_of(s);
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
  painted_markers_.clear();
  double last_skip = -1e9;
  for (std::size_t i = 0; i < markers_.size(); ++i) {
    const PlotMarker& m = markers_[i];
    const double x = x_to_pixel(x_of(m.step));
    if (x < area.left() - 4 || x > area.right() + 4) {
      continue;
    }
    const bool skip = m.kind == PlotMarker::Kind::skipped || m.kind == PlotMarker::Kind::overflow;
    if (skip && std::abs(x - last_skip) < 2) {
      continue;
    }
    last_skip = skip ? x : last_skip;
    const bool top = skip || m.kind == PlotMarker::Kind::nan;
    const QPointF at(x, top ? area.top() + 8 : area.bottom() - 7 - kLane * lane_of(m.kind));
    draw_marker(p, m.kind, at, colors);
    painted_markers_.emplace_back(at, i);
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

  // The readout is laid out from the right, so that changing digits don't shift the text.
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
  const auto is_read = [](const PlotSeries& s) { return !s.dashed && !s.raw->empty(); };
  const auto index = [&](const PlotSeries& s) {
    return link_->hover() ? index_at_hover(s) : s.raw->size() - 1;
  };
  // Names share the remaining space; if there is too little, smoothed numbers are dropped first.
  const auto room_of_name = [&](bool with_smoothed) {
    double used = stop + 8, count = 0;
    for (const PlotSeries& s : series_) {
      if (is_read(s)) {
        const std::size_t at = index(s);
        QString numbers = QStringLiteral("    ") + format_number(s.raw->values()[at]);
        if (with_smoothed && smoothing(s) && at < s.smoothed->store().size()) {
          numbers += QStringLiteral("   ") + tr("smoothed ") +
                     format_number(s.smoothed->store().values()[at]);
        }
        used += metrics.horizontalAdvance(numbers) + 16;
        ++count;
      }
    }
    return (area.right() - used) / std::max(count, 1.0);
  };
  double readable = 0;
  for (const PlotSeries& s : series_) {
    readable = std::max(readable, std::min(90.0, metrics.horizontalAdvance(s.name) + 0.0));
  }
  const bool with_smoothed = room_of_name(true) >= readable;
  const double room = std::max(room_of_name(with_smoothed), 0.0);
  for (std::size_t i = series_.size(); i-- > 0;) {
    const PlotSeries& s = series_[i];
    if (!is_read(s)) {
      continue;
    }
    const std::size_t at = index(s);
    const QColor color = color_of(s);
    if (with_smoothed && smoothing(s) && at < s.smoothed->store().size()) {
      put(format_number(s.smoothed->store().values()[at]), colors.text);
      put(tr("smoothed "), colors.muted);
      put(QStringLiteral("   "), colors.muted);
    }
    put(format_number(s.raw->values()[at]),
        std::isfinite(s.raw->values()[at]) ? colors.text : colors.error);
    put(metrics.elidedText(s.name, Qt::ElideMiddle, static_cast<int>(room)) + QLatin1Char(' '),
        colors.muted);
    x -= 16;
    if (x >= stop) {
      p.fillRect(QRectF(x + 2, baseline - metrics.ascent() / 2.6, 10, 3), color);
    }
    put(QStringLiteral("   "), colors.muted);
  }
  if (link_->hover()) {
    const QString step = tr("step %1").arg(step_text(*link_->hover()));
    put(by_time() ? QStringLiteral("%1 · %2").arg(format_duration(x_of(*link_->hover())), step)
                  : step,
        colors.muted);
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
  const double x = x_to_pixel(x_of(*link_->hover()));
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
    const std::size_t at = index_at_hover(s);
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
        p.setBrush(color_of(s));
        p.drawEllipse(QPointF(x, y), radius, radius);
      }
    };
    dot(value, 3);
    if (smoothing(s) && at < s.smoothed->store().size()) {
      dot(s.smoothed->store().values()[at], 4);
    }
  }
  for (const PlotMarker& m : markers_) {
    if (std::abs(x_to_pixel(x_of(m.step)) - x) <= 5 && notes.size() < 6) {
      notes << tr("step %1: %2").arg(step_text(m.step), shown(m.text));
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

}  // namespace mantissa::gui
