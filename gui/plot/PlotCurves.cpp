// The curves and the grid of PlotWidget: as pixels on the screen, as lines in a file.
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "gui/plot/PlotWidget.h"

namespace mantissa::gui {
namespace {

QColor mix(const QColor& a, const QColor& b, double share) {
  const auto one = [&](int x, int y) { return static_cast<int>(x + (y - x) * share + 0.5); };
  return QColor(one(a.red(), b.red()), one(a.green(), b.green()), one(a.blue(), b.blue()));
}

}  // namespace

void PlotWidget::trace(const PlotSeries& s, const SeriesStore& store, double scale,
                       const std::function<void(std::span<const QPointF>)>& piece) {
  const ValueScale axis(y_low_, y_high_, log_y_);
  const double rows = area_.height() * scale;
  const double per_x = area_.width() * scale / (link_->to() - link_->from());
  const auto steps = store.steps();
  const auto values = store.values();
  std::size_t i = store.lower_bound(first_from(s, link_->from()));
  i = i > 0 ? i - 1 : 0;
  points_.clear();
  const auto flush = [&] {
    if (!points_.empty()) {
      piece(points_);
    }
    points_.clear();
  };
  for (; i < steps.size(); ++i) {
    const double at = x_of(s, steps[i]), x = (at - link_->from()) * per_x;
    if (!std::isfinite(values[i])) {
      flush();
    } else {
      const double y = rows - std::clamp(axis.share(values[i]), -kFarShare, kFarShare) * rows;
      if (s.stepped && !points_.empty()) {
        points_.emplace_back(x, points_.back().y());
      }
      points_.emplace_back(x, y);
    }
    if (at > link_->to()) {
      break;
    }
  }
  flush();
}

void PlotWidget::paint_one(CurveRaster& raster, const PlotSeries& s, const SeriesStore& store,
                           const std::vector<Extent>& columns, bool dense, double width,
                           QColor color, double scale) {
  if (dense) {
    const ValueScale axis(y_low_, y_high_, log_y_);
    const double rows = area_.height() * scale;
    const auto to_row = [&](double value) {
      return rows - std::clamp(axis.share(value), -kFarShare, kFarShare) * rows;
    };
    spans_.assign(columns.size(), {});
    for (std::size_t c = 0; c < columns.size(); ++c) {
      if (!columns[c].empty()) {
        spans_[c] = {to_row(columns[c].max), to_row(columns[c].min)};
      }
    }
    raster.band(spans_, width, color);
    return;
  }
  trace(s, store, scale, [&](std::span<const QPointF> points) {
    if (points.size() == 1) {
      raster.dot(points[0], std::max(1.2 * width, 2.0 * scale), color);
    } else {
      raster.line(points, width, color);
    }
  });
}

void PlotWidget::paint_grid(QPainter& painter) const {
  painter.setPen(QPen(theme_->colors().grid, 0));
  for (const Tick& t : y_ticks()) {
    const double y = y_to_pixel(t.value) - area_.top();
    painter.drawLine(QPointF(0, y), QPointF(area_.width(), y));
  }
  for (const Tick& t : x_ticks()) {
    const double x = x_to_pixel(t.value) - area_.left();
    painter.drawLine(QPointF(x, 0), QPointF(x, area_.height()));
  }
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
  grid.scale(scale, scale);
  paint_grid(grid);
  grid.end();

  CurveRaster raster(image_);
  for (std::size_t i = 0; i < series_.size(); ++i) {
    const PlotSeries& s = series_[i];
    const Gathered& g = gathered_[i];
    if (s.dashed) {
      continue;
    }
    const bool smooth = smoothing(s);
    paint_one(raster, s, *s.raw, g.raw, g.dense, (smooth ? 1.0 : 1.5) * scale, raw_color(s), scale);
  }
  // Smoothed lines are drawn over all raw ones.
  for (std::size_t i = 0; i < series_.size(); ++i) {
    const PlotSeries& s = series_[i];
    if (smoothing(s)) {
      paint_one(raster, s, s.smoothed->store(), gathered_[i].smooth, gathered_[i].dense,
                2.0 * scale, color_of(s), scale);
    }
  }
}

QColor PlotWidget::color_of(const PlotSeries& s) const {
  const auto& palette = theme_->colors().series;
  return palette[static_cast<std::size_t>(s.color) % palette.size()];
}

QColor PlotWidget::raw_color(const PlotSeries& s) const {
  const ThemeColors& colors = theme_->colors();
  return smoothing(s) ? mix(color_of(s), colors.surface, colors.dark ? 0.62 : 0.66) : color_of(s);
}

std::span<const QPointF> PlotWidget::zigzag(const std::vector<Extent>& columns) {
  points_.clear();
  for (std::size_t c = 0; c < columns.size(); ++c) {
    if (!columns[c].empty()) {
      const double x = static_cast<double>(c) + 0.5;
      points_.emplace_back(x, y_to_pixel(columns[c].max) - area_.top());
      points_.emplace_back(x, y_to_pixel(columns[c].min) - area_.top());
    }
  }
  return points_;
}

void PlotWidget::paint_vector(QPainter& p) {
  p.fillRect(rect(), theme_->colors().surface);
  gather(static_cast<int>(area_.width()));
  fit_y();
  p.save();
  p.translate(area_.topLeft());
  paint_grid(p);
  p.setClipRect(QRectF(QPointF(), area_.size()));
  p.setBrush(Qt::NoBrush);
  const auto line = [&](std::span<const QPointF> points, double width, const QColor& color) {
    if (points.empty()) {
      return;
    }
    const bool dot = points.size() == 1;
    p.setPen(QPen(color, dot ? 3 * width : width, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    if (dot) {
      p.drawPoint(points[0]);
    } else {
      p.drawPolyline(points.data(), static_cast<int>(points.size()));
    }
  };
  const auto draw = [&](std::size_t i, bool smoothed) {
    const PlotSeries& s = series_[i];
    const Gathered& g = gathered_[i];
    const double width = smoothed ? 2.0 : smoothing(s) ? 1.0 : 1.5;
    const QColor color = smoothed ? color_of(s) : raw_color(s);
    if (g.dense) {
      line(zigzag(smoothed ? g.smooth : g.raw), width, color);
    } else {
      trace(s, smoothed ? s.smoothed->store() : *s.raw, 1,
            [&](std::span<const QPointF> points) { line(points, width, color); });
    }
  };
  for (std::size_t i = 0; i < series_.size(); ++i) {
    if (!series_[i].dashed) {
      draw(i, false);
    }
  }
  for (std::size_t i = 0; i < series_.size(); ++i) {
    if (smoothing(series_[i])) {
      draw(i, true);
    }
  }
  p.restore();
  paint_axes(p);
  paint_marks(p);
  paint_header(p);
}

}  // namespace mantissa::gui
