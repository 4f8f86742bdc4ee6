#pragma once

#include <QImage>
#include <QPointF>
#include <QRect>
#include <QSize>
#include <filesystem>

namespace mantissa::gui {

/// A mask is a grey image, Format_Grayscale8, of the whole image: white counts, black doesn't.

/// Size of a new mask: the image's, or at most 2048 pixels on the longer side where its shape
/// stays the same.
QSize mask_size(int width, int height);
/// A mask of which everything counts: the same as none.
QImage blank_mask(const QSize& size);
bool is_blank(const QImage& mask);
/// A mask file, grey as training reads it, scaled to `size`. Throws Error.
QImage read_mask(const std::filesystem::path& file, const QSize& size);
/// Writes a PNG: complete, or not at all. Throws Error.
void write_mask(const std::filesystem::path& file, const QImage& mask);

struct MaskBrush {
  double diameter = 1;  ///< pixels of the mask
  double hardness = 1;  ///< share of the radius that is painted in full, 0 to 1
  bool erases = false;  ///< what it paints doesn't count
};

/// One stroke of a brush. Where it crosses itself it paints no more than once.
class MaskStroke {
 public:
  /// `before`: the mask without the stroke.
  MaskStroke(QImage before, const MaskBrush& brush);
  /// Paints a straight line, round at its ends, and returns what may have changed.
  QRect paint(QImage& mask, const QPointF& from, const QPointF& to);

 private:
  QImage before_, coverage_;
  MaskBrush brush_;
};

}  // namespace mantissa::gui
