#include "gui/dataset/MaskImage.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>
#include <vector>

#include "engine/io/image.h"

namespace mantissa::gui {
namespace {

constexpr int kLongest = 2048;  // pixels of the longer side; latents have an eighth of an image's

double distance_to_line(const QPointF& p, const QPointF& from, const QPointF& to) {
  const QPointF along = to - from;
  const double length = QPointF::dotProduct(along, along);
  const double t =
      length > 0 ? std::clamp(QPointF::dotProduct(p - from, along) / length, 0.0, 1.0) : 0;
  const QPointF off = p - (from + t * along);
  return std::hypot(off.x(), off.y());
}

}  // namespace

QSize mask_size(int width, int height) {
  const QSize size(width, height);
  if (std::max(width, height) <= kLongest) {
    return size;
  }
  const QSize scaled = size.scaled(kLongest, kLongest, Qt::KeepAspectRatio);
  const qint64 a = qint64{width} * scaled.height(), b = qint64{height} * scaled.width();
  // Rounding changes the shape of a very long image.
  return std::abs(a - b) * 100 <= std::max(a, b) ? scaled : size;
}

QImage blank_mask(const QSize& size) {
  QImage mask(size, QImage::Format_Grayscale8);
  mask.fill(255);
  return mask;
}

bool is_blank(const QImage& mask) {
  for (int y = 0; y < mask.height(); ++y) {
    const uchar* row = mask.constScanLine(y);
    if (!std::all_of(row, row + mask.width(), [](uchar value) { return value == 255; })) {
      return false;
    }
  }
  return true;
}

QImage read_mask(const std::filesystem::path& file, const QSize& size) {
  const Image image = load_image(file);
  QImage mask(image.width, image.height, QImage::Format_Grayscale8);
  const std::uint8_t* pixel = image.pixels.data();
  for (int y = 0; y < mask.height(); ++y) {
    uchar* row = mask.scanLine(y);
    for (int x = 0; x < mask.width(); ++x, pixel += 3) {
      row[x] = static_cast<uchar>((pixel[0] + pixel[1] + pixel[2] + 1) / 3);
    }
  }
  return mask.size() == size ? mask
                             : mask.scaled(size, Qt::IgnoreAspectRatio, Qt::SmoothTransformation)
                                   .convertToFormat(QImage::Format_Grayscale8);
}

void write_mask(const std::filesystem::path& file, const QImage& mask) {
  std::vector<std::uint8_t> pixels;
  pixels.reserve(3 * static_cast<std::size_t>(mask.width()) *
                 static_cast<std::size_t>(mask.height()));
  for (int y = 0; y < mask.height(); ++y) {
    const uchar* row = mask.constScanLine(y);
    for (int x = 0; x < mask.width(); ++x) {
      pixels.insert(pixels.end(), 3, row[x]);
    }
  }
  write_png(file, pixels, mask.width(), mask.height());
}

MaskStroke::MaskStroke(QImage before, const MaskBrush& brush)
    : before_(std::move(before)),
      coverage_(before_.size(), QImage::Format_Grayscale8),
      brush_(brush) {
  coverage_.fill(0);
}

QRect MaskStroke::paint(QImage& mask, const QPointF& from, const QPointF& to) {
  const double radius = brush_.diameter / 2;
  // A hard brush too has an edge of a pixel.
  const double inner = std::min(radius * brush_.hardness, radius - 0.5), outer = radius + 0.5;
  const QRect area = QRectF(from, to)
                         .normalized()
                         .adjusted(-outer, -outer, outer, outer)
                         .toAlignedRect()
                         .intersected(mask.rect());
  const int target = brush_.erases ? 0 : 255;
  for (int y = area.top(); y <= area.bottom(); ++y) {
    uchar* covered = coverage_.scanLine(y);
    uchar* row = mask.scanLine(y);
    const uchar* old = before_.constScanLine(y);
    for (int x = area.left(); x <= area.right(); ++x) {
      const double off = distance_to_line({x + 0.5, y + 0.5}, from, to);
      const double share = std::clamp((outer - off) / (outer - inner), 0.0, 1.0);
      const int cover = std::max<int>(covered[x], static_cast<int>(std::lround(255 * share)));
      covered[x] = static_cast<uchar>(cover);
      row[x] = static_cast<uchar>(old[x] + (target - old[x]) * cover / 255);
    }
  }
  return area;
}

}  // namespace mantissa::gui
