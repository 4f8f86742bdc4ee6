#pragma once

#include <QWidget>
#include <vector>

class QLabel;
class QTableWidget;

namespace mantissa {
struct SkippedFile;
}  // namespace mantissa

namespace mantissa::gui {

/// Files of the image folders that are not used, and why.
class SkippedView : public QWidget {
  Q_OBJECT

 public:
  explicit SkippedView(QWidget* parent = nullptr);

  void show_files(const std::vector<SkippedFile>& files);
  QTableWidget* table() const { return table_; }

 private:
  QLabel* summary_;
  QTableWidget* table_;
};

}  // namespace mantissa::gui
