#include "gui/dataset/MaskCanvas.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>

#include "gui/dataset/MaskPainting.h"

namespace mantissa::gui {
namespace {

constexpr double kMostZoom = 16, kZoomStep = 1.25;
constexpr int kOverlay = 140;      // of 255, where nothing counts
constexpr int kHardnessStep = 10;  // percent

/// A step of the brush's size: finer where it is small.
int next_size(int size, bool larger) {
  const int step = std::max(1, size / 5);
  return larger ? size + step : size - step;
}

void overlay_rows(const QImage& mask, const QColor& color, const QRect& area, QImage& out) {
  for (int y = area.top(); y <= area.bottom(); ++y) {
    const uchar* row = mask.constScanLine(y);
    auto* pixels = reinterpret_cast<QRgb*>(out.scanLine(y));
    for (int x = area.left(); x <= area.right(); ++x) {
      const int alpha = (255 - row[x]) * kOverlay / 255;
      pixels[x] = qPremultiply(qRgba(color.red(), color.green(), color.blue(), alpha));
    }
  }
}

}  // namespace

QImage mask_overlay(const QImage& mask, const QColor& color) {
  QImage out(mask.size(), QImage::Format_ARGB32_Premultiplied);
  overlay_rows(mask, color, mask.rect(), out);
  return out;
}

MaskCanvas::MaskCanvas(MaskPainting* painting, const Theme* theme, QWidget* parent)
    : QWidget(parent), painting_(painting), theme_(theme) {
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
  setFocusPolicy(Qt::StrongFocus);
  setMouseTracking(true);
  setCursor(Qt::CrossCursor);
  setAccessibleName(tr("The image's crop with its mask"));
  setAccessibleDescription(
      tr("Paint with the mouse. [ and ] change the brush's size, X turns it into the eraser and "
         "back, the wheel enlarges, 0 shows all."));
  connect(painting_, &MaskPainting::changed, this, &MaskCanvas::update_overlay);
  connect(theme_, &Theme::changed, this, [this] { update_overlay(painting_->mask().rect()); });
}

void MaskCanvas::show_crop(const QRectF& crop, int width) {
  crop_ = crop;
  width_ = std::max(width, 1);
  image_ = QImage();
  fit();
}

void MaskCanvas::set_image(const QImage& image) {
  image_ = image;
  update();
}

void MaskCanvas::set_brush_size(int size) {
  size_ = std::clamp(size, kLeastSize, kMostSize);
  update();
  emit brush_changed();
}

void MaskCanvas::set_hardness(int percent) {
  hardness_ = std::clamp(percent, 0, 100);
  update();
  emit brush_changed();
}

void MaskCanvas::set_erases(bool erases) {
  erases_ = erases;
  update();
  emit brush_changed();
}

void MaskCanvas::fit() {
  zoom_ = 1;
  offset_ = QPointF();
  update();
}

QRectF MaskCanvas::place() const {
  const QSizeF fitted = crop_.size().scaled(QSizeF(size()) - QSizeF(8, 8), Qt::KeepAspectRatio);
  const QSizeF shown = fitted * zoom_;
  const QPointF middle = QRectF(rect()).center() + offset_;
  return {middle.x() - shown.width() / 2, middle.y() - shown.height() / 2, shown.width(),
          shown.height()};
}

double MaskCanvas::view_scale() const {
  return crop_.width() > 0 ? place().width() / crop_.width() : 1;
}

QPointF MaskCanvas::in_mask(const QPointF& in_view) const {
  return crop_.topLeft() + (in_view - place().topLeft()) / view_scale();
}

QPointF MaskCanvas::shown_at(const QPointF& in_mask) const {
  return place().topLeft() + (in_mask - crop_.topLeft()) * view_scale();
}

void MaskCanvas::zoom_by(double factor, const QPointF& around) {
  const QPointF kept = in_mask(around);
  zoom_ = std::clamp(zoom_ * factor, 1.0, kMostZoom);
  move_by(around - shown_at(kept));
}

/// No further than to the crop's edge.
void MaskCanvas::move_by(const QPointF& way) {
  const QSizeF shown = place().size();
  const double x = std::max(0.0, (shown.width() - width()) / 2 + 8),
               y = std::max(0.0, (shown.height() - height()) / 2 + 8);
  offset_ = zoom_ > 1 ? QPointF(std::clamp(offset_.x() + way.x(), -x, x),
                                std::clamp(offset_.y() + way.y(), -y, y))
                      : QPointF();
  update();
}

void MaskCanvas::update_overlay(const QRect& area) {
  const QImage& mask = painting_->mask();
  if (overlay_.size() != mask.size()) {
    overlay_ = QImage(mask.size(), QImage::Format_ARGB32_Premultiplied);
    overlay_rows(mask, theme_->colors().error, mask.rect(), overlay_);
    update();
    return;
  }
  overlay_rows(mask, theme_->colors().error, area.intersected(mask.rect()), overlay_);
  update(QRectF(shown_at(area.topLeft()), QSizeF(area.size()) * view_scale())
             .toAlignedRect()
             .adjusted(-2, -2, 2, 2));
}

void MaskCanvas::paintEvent(QPaintEvent*) {
  QPainter p(this);
  p.setRenderHints(QPainter::Antialiasing | QPainter::SmoothPixmapTransform);
  p.fillRect(rect(), theme_->colors().surface);
  if (image_.isNull()) {
    p.setPen(theme_->colors().muted);
    p.drawText(rect(), Qt::AlignCenter, tr("Reading…"));
  } else {
    p.drawImage(place(), image_);
  }
  p.drawImage(place(), overlay_, crop_);
  p.setPen(theme_->colors().border);
  p.drawRect(place());
  draw_brush(p);
}

/// Two rings: visible on bright and dark images. The inner one is what a soft brush fills.
void MaskCanvas::draw_brush(QPainter& p) const {
  if (!pointer_) {
    return;
  }
  const double radius = std::max(1.0, size_ * place().width() / width_ / 2);
  p.setBrush(Qt::NoBrush);
  p.setPen(QPen(QColor(0, 0, 0, 170), 3));
  p.drawEllipse(*pointer_, radius, radius);
  p.setPen(QPen(Qt::white, 1.2, erases_ ? Qt::DashLine : Qt::SolidLine));
  p.drawEllipse(*pointer_, radius, radius);
  if (hardness_ < 100) {
    p.setPen(QPen(QColor(255, 255, 255, 150), 1));
    p.drawEllipse(*pointer_, radius * hardness_ / 100, radius * hardness_ / 100);
  }
}

void MaskCanvas::mousePressEvent(QMouseEvent* event) {
  pointer_ = event->position();
  if (event->button() == Qt::MiddleButton) {
    dragged_ = event->position();
  } else if (event->button() == Qt::LeftButton && !crop_.isEmpty()) {
    const double diameter = size_ * crop_.width() / width_;
    painting_->begin({diameter, hardness_ / 100.0, erases_}, in_mask(event->position()));
  }
  update();
}

void MaskCanvas::mouseMoveEvent(QMouseEvent* event) {
  pointer_ = event->position();
  if (dragged_) {
    move_by(event->position() - *dragged_);
    dragged_ = event->position();
  } else if ((event->buttons() & Qt::LeftButton) != 0) {
    painting_->go_on(in_mask(event->position()));
  }
  update();
}

void MaskCanvas::mouseReleaseEvent(QMouseEvent* event) {
  if (event->button() == Qt::MiddleButton) {
    dragged_.reset();
  } else if (event->button() == Qt::LeftButton) {
    painting_->end();
  }
}

void MaskCanvas::wheelEvent(QWheelEvent* event) {
  zoom_by(std::pow(kZoomStep, event->angleDelta().y() / 120.0), event->position());
  event->accept();
}

void MaskCanvas::leaveEvent(QEvent* event) {
  pointer_.reset();
  update();
  QWidget::leaveEvent(event);
}

void MaskCanvas::keyPressEvent(QKeyEvent* event) {
  const QPointF middle = QRectF(rect()).center();
  switch (event->key()) {
    case Qt::Key_BracketLeft:
    case Qt::Key_BracketRight:
      set_brush_size(next_size(size_, event->key() == Qt::Key_BracketRight));
      break;
    case Qt::Key_BraceLeft:
      set_hardness(hardness_ - kHardnessStep);
      break;
    case Qt::Key_BraceRight:
      set_hardness(hardness_ + kHardnessStep);
      break;
    case Qt::Key_X:
      set_erases(!erases_);
      break;
    case Qt::Key_0:
      fit();
      break;
    case Qt::Key_Plus:
      zoom_by(kZoomStep, middle);
      break;
    case Qt::Key_Minus:
      zoom_by(1 / kZoomStep, middle);
      break;
    default:
      QWidget::keyPressEvent(event);
  }
}

}  // namespace mantissa::gui
