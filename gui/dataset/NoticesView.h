#pragma once

#include <functional>
#include <vector>

#include "gui/dataset/FileListView.h"

namespace mantissa {
struct DataFinding;
struct FoundFile;
}  // namespace mantissa

namespace mantissa::gui {

/// What is used, or passed over, perhaps not as it is meant: images without a caption, captions
/// that are cut, …, each with its file.
class NoticesView : public FileListView {
  Q_OBJECT

 public:
  /// Most rows; the summary counts all.
  static constexpr int kMostRows = 2000;

  explicit NoticesView(QWidget* parent = nullptr);

  using IsSettled = std::function<bool(const DataFinding&, const FoundFile&)>;
  /// Counts the files without those that `is_settled`, such as an image that was given a caption
  /// meanwhile; if the view is hidden, its table is filled by `show_findings`.
  void count_findings(const std::vector<DataFinding>& findings, const IsSettled& is_settled);
  void show_findings(const std::vector<DataFinding>& findings, const IsSettled& is_settled);
  /// Files named.
  int count() const { return count_; }

 private:
  void add_rows(const DataFinding& finding);

  int count_ = 0;
};

}  // namespace mantissa::gui
