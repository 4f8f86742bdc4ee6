#pragma once

#include <vector>

#include "gui/dataset/FileListView.h"

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
};

}  // namespace mantissa::gui
