#pragma once

#include <QImage>
#include <QPointF>
#include <QRectF>
#include <QWidget>
#include <optional>

#include "gui/base/Theme.h"
#include "gui/dataset/MaskImage.h"

namespace mantissa::gui {

class MaskPainting;

/// The mask as a thin layer of colour: the less a place counts, the more of it.
QImage mask_overlay(const QImage& mask, const QColor& color);

/// An image's crop as it is trained, with its mask over it, painted with the mouse or a pen. The
/// wheel enlarges, the middle button moves.
class MaskCanvas : public QWidget {
  Q_OBJECT

 public:
  static constexpr int kLeastSize = 1, kMostSize = 512;  ///< of the brush, pixels of the crop

  MaskCanvas(MaskPainting* painting, const Theme* theme, QWidget* parent = nullptr);

  /// `crop`: its part of the mask, in pixels of the mask; `width`: pixels of the crop as trained.
  void show_crop(const QRectF& crop, int width);
  /// The crop's pixels; null until they are read.
  void set_image(const QImage& image);

  int brush_size() const { return size_; }
  int hardness() const { return hardness_; }  ///< percent
  bool erases() const { return erases_; }
  void set_brush_size(int size);
  void set_hardness(int percent);
  void set_erases(bool erases);
  double zoom() const { return zoom_; }
  void fit();
  /// Where a point of the mask is shown.
  QPointF shown_at(const QPointF& in_mask) const;

  QSize sizeHint() const override { return {640, 480}; }
  QSize minimumSizeHint() const override { return {160, 120}; }

 signals:
  void brush_changed();

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void leaveEvent(QEvent* event) override;

 private:
  /// The crop's place in the widget.
  QRectF place() const;
  QPointF in_mask(const QPointF& in_view) const;
  double view_scale() const;  ///< pixels of the view per pixel of the mask
  void zoom_by(double factor, const QPointF& around);
  void move_by(const QPointF& way);
  void update_overlay(const QRect& area);
  void draw_brush(QPainter& p) const;

  MaskPainting* painting_;
  const Theme* theme_;
  QImage image_, overlay_;
  QRectF crop_;
  int width_ = 1;
  int size_ = 64, hardness_ = 70;
  bool erases_ = false;
  double zoom_ = 1;
  QPointF offset_;  ///< of the crop's middle from the view's
  std::optional<QPointF> pointer_, dragged_;
};

}  // namespace mantissa::gui
