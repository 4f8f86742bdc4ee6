#pragma once

#include <QFrame>
#include <vector>

#include "gui/base/Theme.h"
#include "gui/engine/HealthData.h"

class QGridLayout;
class QLabel;

namespace mantissa::gui {

class ExponentHistogram;
class NoWheelCombo;

/// What one tensor of the layer statistics holds: its exponents and its numbers, which stand in two
/// columns where there is no height for one.
class HealthDetails : public QFrame {
  Q_OBJECT

 public:
  explicit HealthDetails(const Theme* theme, QWidget* parent = nullptr);

  /// The tensors of a cell, and which of them is shown; null for none.
  void show_tensors(const std::vector<const HealthRow*>& tensors, const HealthRow* shown,
                    std::int64_t step);
  /// A row of the table: its title and its exponents.
  void show_row(const HealthRow& row);
  /// The one chosen among a cell's tensors, from 0; -1 for none.
  int chosen() const;

  ExponentHistogram* histogram() const { return histogram_; }
  QString numbers_text() const;
  /// The height that it needs where it is that wide.
  int least_height(int width) const;
  QSize minimumSizeHint() const override;

 signals:
  /// The user chose another tensor of the cell.
  void tensor_chosen();

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  static constexpr int kNumbers = 8;
  int width_of(int columns) const;
  int row_height() const;
  int height_of(int rows) const;
  void arrange(int rows);
  void show_numbers(const HealthRow& row);

  QLabel* title_;
  NoWheelCombo* tensor_;
  ExponentHistogram* histogram_;
  QGridLayout* grid_;
  QLabel* names_[kNumbers] = {};
  QLabel* numbers_[kNumbers] = {};
  int rows_ = 0;  ///< of the grid
};

}  // namespace mantissa::gui
