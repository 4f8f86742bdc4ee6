#pragma once

#include <QWidget>
#include <vector>

#include "gui/base/Theme.h"

namespace mantissa::gui {

/// How densely training covers the noise levels: a small area from the image on the left to pure
/// noise on the right. Hidden while that isn't known.
class LevelPlot : public QWidget {
  Q_OBJECT

 public:
  explicit LevelPlot(const Theme* theme, QWidget* parent = nullptr);
  /// PlanReport::levels.
  void show_levels(const std::vector<double>& density);
  const std::vector<double>& levels() const { return density_; }
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override { return {160, sizeHint().height()}; }

 signals:
  /// It will appear or go.
  void about_to_change();

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  const Theme* theme_;
  std::vector<double> density_;
};

}  // namespace mantissa::gui
