#pragma once

#include <QObject>
#include <QString>
#include <QUndoStack>
#include <nlohmann/json.hpp>
#include <string_view>

#include "engine/preset/preset.h"

namespace mantissa::gui {

/// The preset being edited: every change goes through here and can be undone.
class PresetDocument : public QObject {
  Q_OBJECT

 public:
  explicit PresetDocument(QObject* parent = nullptr);

  const Preset& preset() const { return preset_; }
  QUndoStack* undo_stack() { return &undo_; }
  /// File it was opened from or saved to; empty for a new or built-in one.
  const QString& file() const { return file_; }
  bool is_dirty() const { return !undo_.isClean(); }
  /// The key for settings stored per preset: its file, else its name.
  QString identity() const { return file_.isEmpty() ? display_name() : file_; }
  /// The preset's own name, else its file's, else "Untitled".
  QString display_name() const;

  /// Changes one setting. Returns the problem of the value, or empty. While `typing`, successive
  /// edits of a setting become one step of undo, until seal().
  QString edit(std::string_view key, const nlohmann::json& value, bool typing = false);
  void reset(std::string_view key);
  /// A finding's fix, as one step of undo. Returns its problem, or empty.
  QString apply_patch(const std::string& patch_json, const QString& name);
  /// Ends the merging of typed edits.
  void seal() { ++seal_; }

  /// Replaces everything with `preset`, with undo (paste, defaults).
  void replace(const Preset& preset, const QString& name);
  /// Starts over with `preset`; forgets the undo history.
  void load(const Preset& preset, const QString& file);

  /// The preset as last loaded or saved.
  const Preset& saved() const { return saved_; }
  /// Loads `saved`, then `now` as one step of undo.
  void restore(const Preset& saved, const QString& file, const Preset& now);

  /// These throw Error with a sentence for the user; the document is then unchanged.
  void open(const QString& file);
  /// Saved to another file, a preset with the name that it was loaded with takes the file's name,
  /// by which its runs are then called too; a name that was edited stays.
  void save_as(const QString& file);

  QString to_text() const;
  /// Replaces the document from pasted text. Throws Error naming every problem.
  void paste_text(const QString& text);

 signals:
  /// One setting changed, or all of them if `key` is empty.
  void changed(const QString& key);
  void title_changed();

 private:
  friend class SettingCommand;
  friend class ReplaceCommand;
  /// Gives the preset the name of the file that it is saved to, where it keeps another's; whether
  /// it did.
  bool rename_for(const QString& file);
  void store(std::string_view key, const nlohmann::json& value);
  void store_all(const Preset& preset);

  Preset preset_, saved_;
  QUndoStack undo_;
  QString file_;
  std::uint64_t seal_ = 0;
};

}  // namespace mantissa::gui
