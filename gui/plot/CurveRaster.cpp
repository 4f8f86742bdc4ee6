#include "gui/plot/CurveRaster.h"

#include <algorithm>
#include <cmath>

namespace mantissa::gui {
namespace {

/// Mean of clamp(z, 0, 1) as z runs linearly from a to b.
double mean_clamped(double a, double b) {
  const auto integral = [](double z) { return z <= 0 ? 0.0 : (z >= 1 ? z - 0.5 : z * z / 2); };
  if (std::abs(b - a) < 1e-6) {
    return std::clamp((a + b) / 2, 0.0, 1.0);
  }
  return (integral(b) - integral(a)) / (b - a);
}

}  // namespace

CurveRaster::CurveRaster(QImage& image)
    : bits_(reinterpret_cast<quint32*>(image.bits())),
      stride_(image.bytesPerLine() / 4),
      width_(image.width()),
      height_(image.height()) {
  Q_ASSERT(image.format() == QImage::Format_RGB32);
}

void CurveRaster::set_color(QColor color) {
  Q_ASSERT(color.alpha() == 255);
  color_ = color.rgb();
}

void CurveRaster::blend(int column, int row, double coverage) {
  quint32& pixel = bits_[row * stride_ + column];
  const auto a = static_cast<quint32>(std::min(coverage, 1.0) * 256 + 0.5);
  // Red and blue in one product, with room for 8 bits between them.
  constexpr quint32 kRedBlue = 0xff00ffU, kGreen = 0x00ff00U;
  const quint32 red_blue = (pixel & kRedBlue) * (256 - a) + (color_ & kRedBlue) * a;
  const quint32 green = (pixel & kGreen) * (256 - a) + (color_ & kGreen) * a;
  pixel = 0xff000000U | ((red_blue >> 8) & kRedBlue) | ((green >> 8) & kGreen);
}

void CurveRaster::fill(int column, double top, double bottom) {
  if (column < 0 || column >= width_ || bottom <= 0 || top >= height_) {
    return;
  }
  top = std::max(top, 0.0);
  bottom = std::min(bottom, static_cast<double>(height_));
  const int first = static_cast<int>(top);
  const int last = std::min(static_cast<int>(bottom), height_ - 1);
  if (first == last) {
    blend(column, first, bottom - top);
    return;
  }
  blend(column, first, first + 1 - top);
  quint32* pixel = bits_ + (first + 1) * stride_ + column;
  for (int row = first + 1; row < last; ++row, pixel += stride_) {
    *pixel = color_;
  }
  if (bottom > last) {
    blend(column, last, bottom - last);
  }
}

void CurveRaster::slanted(int column, double left, double right, double thickness, double low,
                          double high) {
  const double half = thickness / 2;
  const double top = std::max(std::min(left, right) - half, low);
  const double bottom = std::min(std::max(left, right) + half, high);
  const int first = std::max(static_cast<int>(std::floor(top)), 0);
  const int last = std::min(static_cast<int>(std::ceil(bottom)), height_);
  for (int row = first; row < last; ++row) {
    const double coverage = mean_clamped(left + half - row, right + half - row) -
                            mean_clamped(left - half - row, right - half - row);
    if (coverage > 0.004) {
      blend(column, row, coverage);
    }
  }
}

void CurveRaster::line(std::span<const QPointF> points, double width, QColor color) {
  if (points.size() < 2) {
    return;
  }
  set_color(color);
  struct {
    int index = std::numeric_limits<int>::min();
    int pieces = 0;
    double low = 0, high = 0, left = 0, right = 0, limit_low = 0, limit_high = 0;
    bool whole = false;
  } column;
  const double half = width / 2;
  const auto flush = [&] {
    if (column.pieces == 0 || column.index < 0 || column.index >= width_) {
      return;
    }
    const double slope = std::abs(column.right - column.left);
    if (column.pieces == 1 && column.whole && slope < 6) {
      slanted(column.index, column.left, column.right, width * std::sqrt(1 + slope * slope),
              column.limit_low - half, column.limit_high + half);
    } else {
      fill(column.index, column.low - half, column.high + half);
    }
  };
  for (std::size_t i = 1; i < points.size(); ++i) {
    const QPointF a = points[i - 1], b = points[i];
    if (b.x() < 0 || a.x() > width_) {
      continue;
    }
    const double dx = b.x() - a.x();
    const double slope = dx > 1e-9 ? (b.y() - a.y()) / dx : 0;
    const int from = static_cast<int>(std::floor(std::max(a.x(), -1.0)));
    const int to = static_cast<int>(std::floor(std::min(b.x(), width_ + 1.0)));
    for (int c = from; c <= to; ++c) {
      const double x0 = std::max(a.x(), static_cast<double>(c));
      const double x1 = std::min(b.x(), static_cast<double>(c + 1));
      if (x1 <= x0 && dx > 1e-9 && to != from) {
        continue;
      }
      const double y0 = dx > 1e-9 ? a.y() + slope * (x0 - a.x()) : a.y();
      const double y1 = dx > 1e-9 ? a.y() + slope * (x1 - a.x()) : b.y();
      if (c != column.index) {
        flush();
        column = {};
        column.index = c;
        column.low = std::min(y0, y1);
        column.high = std::max(y0, y1);
        column.left = y0;
        column.right = y1;
        column.limit_low = std::min(a.y(), b.y());
        column.limit_high = std::max(a.y(), b.y());
        column.whole = x1 - x0 > 0.999;
      } else {
        column.low = std::min({column.low, y0, y1});
        column.high = std::max({column.high, y0, y1});
      }
      ++column.pieces;
    }
  }
  flush();
}

void CurveRaster::band(std::span<const Span> spans, double width, QColor color) {
  set_color(color);
  const double half = width / 2;
  const int count = std::min(static_cast<int>(spans.size()), width_);
  for (int c = 0; c < count; ++c) {
    Span span = spans[static_cast<std::size_t>(c)];
    if (span.empty()) {
      continue;
    }
    if (c > 0 && !spans[static_cast<std::size_t>(c - 1)].empty()) {
      const Span& before = spans[static_cast<std::size_t>(c - 1)];
      if (before.bottom < span.top) {
        span.top = (before.bottom + span.top) / 2;
      } else if (before.top > span.bottom) {
        span.bottom = (before.top + span.bottom) / 2;
      }
    }
    if (c + 1 < count && !spans[static_cast<std::size_t>(c + 1)].empty()) {
      const Span& after = spans[static_cast<std::size_t>(c + 1)];
      if (after.bottom < span.top) {
        span.top = (after.bottom + span.top) / 2;
      } else if (after.top > span.bottom) {
        span.bottom = (after.top + span.bottom) / 2;
      }
    }
    fill(c, span.top - half, span.bottom + half);
  }
}

void CurveRaster::dot(QPointF centre, double radius, QColor color) {
  set_color(color);
  const int x0 = std::max(static_cast<int>(std::floor(centre.x() - radius)), 0);
  const int x1 = std::min(static_cast<int>(std::ceil(centre.x() + radius)), width_);
  const int y0 = std::max(static_cast<int>(std::floor(centre.y() - radius)), 0);
  const int y1 = std::min(static_cast<int>(std::ceil(centre.y() + radius)), height_);
  for (int y = y0; y < y1; ++y) {
    for (int x = x0; x < x1; ++x) {
      const double d = std::hypot(x + 0.5 - centre.x(), y + 0.5 - centre.y());
      const double coverage = std::clamp(radius + 0.5 - d, 0.0, 1.0);
      if (coverage > 0) {
        blend(x, y, coverage);
      }
    }
  }
}

}  // namespace mantissa::gui
