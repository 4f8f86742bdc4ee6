#pragma once

#include <QWidget>
#include <optional>

#include "engine/probe/rate_report.h"
#include "gui/base/Theme.h"

namespace mantissa::gui {

/// Loss against learning rate on a logarithmic axis: each step's change as a point, the smoothed
/// curve, and marks at the suggestion, at the preset's rate and where the loss diverged.
class RatePlot : public QWidget {
  Q_OBJECT

 public:
  explicit RatePlot(const Theme* theme, QWidget* parent = nullptr);
  void show_test(const RateTest& test);
  /// The preset's learning rate; marked if it is in the range.
  void set_current(double rate);
  /// Where a rate is drawn.
  double place(double rate) const;

  QSize sizeHint() const override { return {480, 280}; }
  QSize minimumSizeHint() const override { return {240, 160}; }

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;

 private:
  QRectF area() const;
  double height_of(double loss) const;
  void paint_axes(QPainter& p) const;
  void paint_curve(QPainter& p) const;
  void paint_mark(QPainter& p, double rate, const QString& text, const QColor& color,
                  Qt::PenStyle style, int line) const;

  const Theme* theme_;
  std::optional<RateTest> test_;
  double current_ = 0, low_ = 0, high_ = 1;
};

}  // namespace mantissa::gui
