#pragma once

#include <QWidget>
#include <vector>

#include "gui/base/Theme.h"
#include "gui/result/EndedRun.h"

class QGridLayout;

namespace mantissa::gui {

/// What each program makes of a result, a line each: a mark, its name, the verdict.
class ReaderList : public QWidget {
  Q_OBJECT

 public:
  explicit ReaderList(const Theme* theme, QWidget* parent = nullptr);
  void show_lines(const std::vector<ReaderLine>& lines);
  /// "ComfyUI: Loads it as it was trained.", …
  QStringList texts() const { return texts_; }

 private:
  const Theme* theme_;
  QGridLayout* grid_;
  QStringList texts_;
};

}  // namespace mantissa::gui
