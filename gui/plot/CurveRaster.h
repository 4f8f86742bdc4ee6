#pragma once

#include <QColor>
#include <QImage>
#include <QPointF>
#include <limits>
#include <span>
#include <vector>

namespace mantissa::gui {

/// Draws functions of x into an image, one pixel column at a time. A general path stroker takes
/// milliseconds for a plot: the curve is single-valued, so each column is one span whose edge
/// coverage has a closed form. Pixels are device pixels, y grows downwards; colours are opaque.
class CurveRaster {
 public:
  /// `image` must be RGB32 and outlive the raster.
  explicit CurveRaster(QImage& image);

  /// A line through points with x not decreasing. Where several points share a column, the whole
  /// extent between them is filled, so that no spike is lost.
  void line(std::span<const QPointF> points, double width, QColor color);

  /// Vertical extent of a dense curve in one column; top > bottom if there is none.
  struct Span {
    double top = std::numeric_limits<double>::infinity();
    double bottom = -std::numeric_limits<double>::infinity();
    bool empty() const { return top > bottom; }
  };
  /// One span per column, starting at column 0; neighbours that do not touch are joined.
  void band(std::span<const Span> spans, double width, QColor color);

  /// A filled disc, for points without neighbours.
  void dot(QPointF centre, double radius, QColor color);

 private:
  void fill(int column, double top, double bottom);
  void slanted(int column, double left, double right, double thickness, double low, double high);
  void blend(int column, int row, double coverage);
  void set_color(QColor color);

  quint32* bits_ = nullptr;
  std::ptrdiff_t stride_ = 0;  // in pixels
  int width_ = 0, height_ = 0;
  quint32 color_ = 0;
};

}  // namespace mantissa::gui
