#pragma once

#include <QWidget>
#include <optional>

#include "engine/precision/health.h"
#include "gui/base/Theme.h"

namespace mantissa::gui {

/// The distribution of a tensor's magnitudes over powers of two, overlaid with its format's range:
/// full precision, reduced precision, zero.
class ExponentHistogram : public QWidget {
  Q_OBJECT

 public:
  explicit ExponentHistogram(const Theme* theme, QWidget* parent = nullptr);
  void show_row(const std::optional<HealthRow>& row);
  const std::optional<HealthRow>& row() const { return row_; }
  /// Exponents of the smallest subnormal, the smallest normal and the largest number of the
  /// tensor's format, with its scale.
  struct Window {
    double subnormal = 0, normal = 0, largest = 0;
  };
  static Window window_of(const HealthRow& row);

  QSize sizeHint() const override { return {420, 180}; }
  QSize minimumSizeHint() const override { return {220, 130}; }

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  const Theme* theme_;
  std::optional<HealthRow> row_;
};

}  // namespace mantissa::gui
