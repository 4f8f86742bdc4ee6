#pragma once

#include <QObject>
#include <functional>
#include <vector>

#include "engine/preset/import.h"
#include "engine/preset/preset_library.h"
#include "gui/app/WindowFrame.h"
#include "gui/preset/SettingsReader.h"

namespace mantissa::gui {

/// Loading and saving the draft: preset files, imports, built-in presets, the clipboard. Asks
/// before replacing unsaved edits.
class PresetFiles : public QObject {
  Q_OBJECT

 public:
  explicit PresetFiles(const WindowFrame& frame);

  void ask_open();
  bool open(const QString& file);
  /// Applies what is edited as text, before the preset is read. False if it can't be applied: why
  /// is shown, and the text with it.
  bool settle_text();
  /// Edits that no file has, as text or in the form.
  bool has_edits() const;
  /// `then` runs once the preset is on disk.
  void save(std::function<void()> then = {});
  void save_as(std::function<void()> then = {});
  /// Runs `then` once the edits are saved or discarded, not if the user cancels.
  void settle_unsaved(std::function<void()> then);
  /// Uses a preset without a file, after the edits are settled.
  void take(const Preset& preset, std::function<void()> then = {});

  void ask_import();
  /// Shows what importing a file would change, once it is read; nothing changes until that is
  /// accepted.
  void import_file(const QString& file);
  void import_read(const QString& file, const SettingsFile& read);
  /// Opens a preset, after the edits are settled, unless they are; another program's file or an
  /// adapter is imported.
  void open_or_import(const QString& file, bool settled = false);
  void show_import(const ImportResult& result, const QString& name);
  void copy();
  void paste();

  /// The built-in presets.
  void set_library(const std::vector<PresetEntry>& presets);
  const std::vector<PresetEntry>& library() const { return library_; }
  /// All of them, to choose from.
  void show_picker();

 private:
  bool write(const QString& file);
  void remember(const QString& file);

  const WindowFrame& f_;
  QString told_;  ///< what is wrong with the text, while that is shown
  std::vector<PresetEntry> library_;
};

}  // namespace mantissa::gui
