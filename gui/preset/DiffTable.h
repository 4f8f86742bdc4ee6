#pragma once

#include <QWidget>
#include <vector>

#include "engine/preset/preset_io.h"
#include "gui/base/Theme.h"

class QGridLayout;

namespace mantissa::gui {

/// The settings in which two presets differ, side by side, one row each.
class DiffTable : public QWidget {
  Q_OBJECT

 public:
  explicit DiffTable(const Theme* theme, QWidget* parent = nullptr);

  /// `take` names what a row's button does ("Use"); empty: no buttons.
  void show_changes(const std::vector<PresetChange>& changes, const QString& title_a,
                    const QString& title_b, const QString& take = {});
  int rows() const { return rows_; }

 signals:
  /// The user wants side a's value.
  void take_requested(const QString& key);

 private:
  const Theme* theme_;
  QGridLayout* grid_;
  int rows_ = 0;
};

}  // namespace mantissa::gui
