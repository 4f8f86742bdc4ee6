#pragma once

#include <QObject>
#include <functional>
#include <vector>

#include "engine/preset/import.h"
#include "engine/preset/preset_library.h"
#include "gui/app/WindowFrame.h"

namespace mantissa::gui {

/// Where the draft comes from and goes to: preset files, imports, built-in presets, the clipboard.
/// Nothing replaces unsaved edits without a question.
class PresetFiles : public QObject {
  Q_OBJECT

 public:
  explicit PresetFiles(const WindowFrame& frame);

  void ask_open();
  bool open(const QString& file);
  /// `then` runs once the preset is on disk.
  void save(std::function<void()> then = {});
  void save_as(std::function<void()> then = {});
  /// Runs `then` when the edits are saved or given up, never when the user thinks better of it.
  void settle_unsaved(std::function<void()> then);
  /// Takes a preset without a file of its own, after the edits are settled.
  void take(const Preset& preset, std::function<void()> then = {});

  void ask_import();
  /// Shows what importing a file would change; nothing changes before that is accepted.
  void import_file(const QString& file);
  void show_import(const ImportResult& result, const QString& name);
  void copy();
  void paste();

  /// The built-in presets.
  void set_library(const std::vector<PresetEntry>& presets);
  const std::vector<PresetEntry>& library() const { return library_; }
  /// All of them, to choose from.
  void show_picker();

 signals:
  void library_changed();

 private:
  bool write(const QString& file);
  void remember(const QString& file);

  const WindowFrame& f_;
  std::vector<PresetEntry> library_;
};

}  // namespace mantissa::gui
