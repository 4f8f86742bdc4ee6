#pragma once

#include <QStringList>
#include <QWidget>

class QLabel;
class QTableWidget;

namespace mantissa::gui {

/// A summary above a table of files of the image folders: the base of the views that name files.
class FileListView : public QWidget {
  Q_OBJECT

 public:
  QTableWidget* table() const { return table_; }

 protected:
  FileListView(const QString& accessible_name, const QStringList& columns, QWidget* parent);

  void set_summary(const QString& text);
  /// In place of an empty table; an empty text shows the table again.
  void show_nothing(const QString& text);
  /// Fills a row with texts of files, which are shown as they are.
  void set_row(int row, const QStringList& texts);
  /// Call it after the rows: a column is as wide as its texts, as far as the others have no use for
  /// the room.
  void fit_columns();

  void resizeEvent(QResizeEvent* event) override;

 private:
  QLabel *summary_, *said_;
  QTableWidget* table_;
  QWidget* nothing_;  ///< in the table's place
};

}  // namespace mantissa::gui
