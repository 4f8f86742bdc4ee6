#pragma once

#include <QAbstractScrollArea>
#include <QFont>
#include <QHash>
#include <QString>
#include <cstdint>
#include <optional>
#include <vector>

#include "gui/base/Theme.h"

class QPainter;

namespace mantissa::gui {

/// Colour of a badness from 0 to 1: a ramp whose lightness only ever rises or falls, so that it
/// reads the same without colour vision and in grey; healthy recedes into the surface.
QColor heat_color(double badness, bool dark);

struct HeatCell {
  double badness = 0;
  bool present = false;
  bool non_finite = false;  ///< gets a cross in addition to its colour
};

/// Rows of cells over columns. Only what is in view is painted, so thousands of rows cost nothing.
class HeatMap : public QAbstractScrollArea {
  Q_OBJECT

 public:
  explicit HeatMap(const Theme* theme, QWidget* parent = nullptr);

  /// `cells` is [row][column]. Keeps the current cell if its labels still exist.
  void set_cells(std::vector<QString> rows, std::vector<QString> columns,
                 std::vector<std::vector<HeatCell>> cells);
  void set_empty_text(const QString& text);
  int rows() const { return static_cast<int>(rows_.size()); }
  int columns() const { return static_cast<int>(columns_.size()); }
  int current_row() const { return row_; }
  int current_column() const { return column_; }
  void set_current(int row, int column);
  /// Rectangle of a cell in the viewport, empty if it is scrolled out of view.
  QRect cell_rect(int row, int column) const;
  /// The columns in view that have a label: every so many, so that the steps between are equal.
  std::vector<int> labelled_columns() const;
  /// Labels measured so far, and cells and column labels visited by the last paint: the work of a
  /// frame, for tests.
  std::int64_t measured() const { return measured_; }
  std::int64_t visited() const { return visited_; }

 signals:
  void current_changed(int row, int column);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  bool viewportEvent(QEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  static constexpr int kRow = 18, kMinColumn = 10, kMaxColumn = 160, kHeader = 20;
  void measure_labels();
  int label_width() const;
  double column_width() const;
  /// The columns in view: the first, and the one after the last.
  std::pair<int, int> columns_in_view() const;
  void paint_cells(QPainter& p, int first, int last);
  void paint_labels(QPainter& p, int first, int last);
  void update_bars();
  void show_current();
  std::pair<int, int> cell_at(QPoint at) const;

  const Theme* theme_;
  QString empty_text_;
  std::vector<QString> rows_, columns_;
  std::vector<std::vector<HeatCell>> cells_;
  int row_ = -1, column_ = -1;
  QHash<QString, int> widths_;  ///< of row labels in `measured_font_`, in pixels
  QFont measured_font_;
  int widest_ = 0;  ///< of the labels of `rows_`
  std::int64_t measured_ = 0, visited_ = 0;
};

}  // namespace mantissa::gui
