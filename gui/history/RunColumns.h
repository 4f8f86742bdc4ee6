#pragma once

#include <QObject>

class QTableView;

namespace mantissa::gui {

/// Fits the columns of the list of runs to its width, so that it never scrolls sideways: they
/// shrink, then the least important ones go. Columns that the user has resized stay as they are.
class RunColumns : public QObject {
  Q_OBJECT

 public:
  /// The model is set, and the header is the final one.
  explicit RunColumns(QTableView* table);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void fit();
  void fill();
  /// The width below which a column's title would be cut.
  int title_width(int column) const;

  QTableView* table_;
  bool fitting_ = false, by_hand_ = false;
};

}  // namespace mantissa::gui
