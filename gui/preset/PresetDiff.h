#pragma once

#include <QWidget>
#include <functional>
#include <optional>
#include <vector>

#include "engine/preset/preset_library.h"
#include "gui/base/Theme.h"
#include "gui/widgets/PathEdit.h"

class QLabel;
class QPushButton;

namespace mantissa::gui {

class DiffTable;
class NoWheelCombo;
class PresetDocument;
class SettingsReader;
struct SettingsFile;

/// The draft compared with the defaults, its saved file, a built-in preset or any other file;
/// single values can be copied, with undo.
class PresetDiff : public QWidget {
  Q_OBJECT

 public:
  PresetDiff(PresetDocument* document, PathChooser choose_file, SettingsReader* reader,
             const Theme* theme, QWidget* parent = nullptr);

  void set_library(const std::vector<PresetEntry>& presets);
  /// Offers the settings of the run on the Train page for comparison.
  void set_run(const Preset& preset, const QString& name);
  /// Compares with that run.
  void show_run();
  /// Compares with a file (a preset, or anything that can be imported), once it is read. Shows
  /// problems in the page.
  void compare_with_file(const QString& file);
  DiffTable* table() const { return table_; }
  NoWheelCombo* choice() const { return choice_; }

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  void choose(int index);
  void refresh();
  void fill_choice();
  void show_other(const QString& file, const SettingsFile& read);

  PresetDocument* document_;
  PathChooser choose_file_;
  SettingsReader* reader_;
  NoWheelCombo* choice_;
  QLabel *count_, *problem_;
  QPushButton* take_all_;
  DiffTable* table_;
  std::vector<PresetEntry> library_;
  std::optional<Preset> run_;
  QString run_name_;
  Preset other_;
  QString other_title_;
  int last_index_ = 0;
  int asked_ = 0;  ///< number of the latest request: an earlier answer is passed over
  bool stale_ = true;
};

}  // namespace mantissa::gui
