#pragma once

#include <QStringList>
#include <QWidget>
#include <initializer_list>

class QLabel;
class QTableWidget;

namespace mantissa::gui {

/// A summary above a table of files of the image folders: the base of the views that name files.
class FileListView : public QWidget {
  Q_OBJECT

 public:
  QTableWidget* table() const { return table_; }

 protected:
  /// `widths`: of the columns but the last, which takes what is left, in px.
  FileListView(const QString& accessible_name, const QStringList& columns,
               std::initializer_list<int> widths, QWidget* parent);

  void set_summary(const QString& text);
  /// Fills a row with texts of files, which are shown as they are.
  void set_row(int row, const QStringList& texts);

 private:
  QLabel* summary_;
  QTableWidget* table_;
};

}  // namespace mantissa::gui
