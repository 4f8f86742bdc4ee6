#pragma once

#include <vector>

#include "gui/dataset/FileListView.h"

class QPushButton;

namespace mantissa {
struct SkippedFile;
}  // namespace mantissa

namespace mantissa::gui {

/// Files of the image folders that are not used, and why.
class SkippedView : public FileListView {
  Q_OBJECT

 public:
  explicit SkippedView(QWidget* parent = nullptr);

  void show_files(const std::vector<SkippedFile>& files);
  /// Hidden where every caption is UTF-8.
  QPushButton* read_as_button() const { return read_as_; }

 signals:
  /// Captions that aren't UTF-8 shall be read in another encoding.
  void read_as_wanted();

 private:
  QPushButton* read_as_;
};

}  // namespace mantissa::gui
