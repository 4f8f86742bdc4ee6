#pragma once

#include <QDialog>
#include <vector>

#include "engine/preset/preset_library.h"
#include "gui/base/Theme.h"

class QLabel;
class QLineEdit;
class QListWidget;
class QPushButton;

namespace mantissa::gui {

class DiffTable;

/// A built-in preset's group in lists: "Style", "8 GB", …, from its tags.
QString preset_group(const PresetEntry& entry);

/// The entries in the order of their groups, each group together.
std::vector<PresetEntry> in_groups(std::vector<PresetEntry> entries);

/// The built-in presets by task and memory, with description, tags and changes.
class PresetPicker : public QDialog {
  Q_OBJECT

 public:
  PresetPicker(std::vector<PresetEntry> entries, const Theme* theme, QWidget* parent = nullptr);

  QListWidget* list() const { return list_; }

 signals:
  void chosen(const Preset& preset);

 private:
  void fill(const QString& query);
  void show_entry();

  std::vector<PresetEntry> entries_;
  QLineEdit* search_;
  QListWidget* list_;
  QLabel *title_, *about_, *tags_;
  DiffTable* changes_;
  QPushButton* use_;
};

}  // namespace mantissa::gui
