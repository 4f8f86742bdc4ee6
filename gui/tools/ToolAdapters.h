#pragma once

#include <QWidget>
#include <vector>

#include "engine/tools/run_tool.h"
#include "gui/base/Theme.h"

class QVBoxLayout;

namespace mantissa::gui {

class PathEdit;
class SciSpin;

/// Adapters, each with its weight; the last row is for another one.
class ToolAdapters : public QWidget {
  Q_OBJECT

 public:
  explicit ToolAdapters(const Theme* theme, QWidget* parent = nullptr);

  /// Adapters of the rows with a path, folders replaced by their adapters. Throws Error naming a
  /// folder without one.
  std::vector<WeightedFile> adapters() const;
  bool is_empty() const;
  /// False while a weight is no number from -100 to 100.
  bool has_weights() const;
  void add(const QString& path);
  PathEdit* path(int row) const { return rows_[static_cast<std::size_t>(row)].path; }
  SciSpin* weight(int row) const { return rows_[static_cast<std::size_t>(row)].weight; }

 signals:
  void changed();

 private:
  struct Row {
    PathEdit* path = nullptr;
    SciSpin* weight = nullptr;
  };
  void add_row();
  void keep_one_more();

  const Theme* theme_;
  QVBoxLayout* column_;
  std::vector<Row> rows_;
};

}  // namespace mantissa::gui
