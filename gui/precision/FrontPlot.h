#pragma once

#include <QWidget>
#include <vector>

#include "engine/probe/precision_front.h"
#include "gui/base/Theme.h"

namespace mantissa::gui {

/// Choices of types as points: memory against the gradients' error, on a logarithmic axis. The
/// first is the preset as it is; a click chooses one.
class FrontPlot : public QWidget {
  Q_OBJECT

 public:
  explicit FrontPlot(const Theme* theme, QWidget* parent = nullptr);
  void show_points(std::vector<PrecisionPoint> points);
  void select(int index);
  int selected() const { return selected_; }
  /// Where a point is drawn.
  QPointF place(int index) const;

  QSize sizeHint() const override { return {480, 220}; }
  QSize minimumSizeHint() const override { return {240, 150}; }

 signals:
  void selected_by_click(int index);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;

 private:
  /// The range of the points, with a margin. Errors are in per cent.
  struct Range {
    double least_bytes = 0, most_bytes = 1, least_error = 1e-3, most_error = 1;
  };
  Range range() const;
  QRectF area() const;

  const Theme* theme_;
  std::vector<PrecisionPoint> points_;
  int selected_ = -1;
};

}  // namespace mantissa::gui
