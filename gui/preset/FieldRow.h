#pragma once

#include <QWidget>
#include <nlohmann/json.hpp>
#include <optional>

#include "engine/preset/schema.h"
#include "gui/preset/FieldEditor.h"

class QLabel;
class QToolButton;

namespace mantissa::gui {

class PresetDocument;

/// One setting in the form: modified mark, label, editor, range and unit, reset, help, and below it
/// any problem with the value. Created once; only its contents change.
class FieldRow : public QWidget {
  Q_OBJECT

 public:
  FieldRow(const Setting& setting, PresetDocument* document, const Theme* theme,
           QWidget* parent = nullptr);

  const Setting& setting() const { return setting_; }
  FieldEditor* editor() const { return editor_; }
  /// Shows the document's value, unless the user is editing an invalid one.
  void refresh();
  /// Another preset is edited: what was being typed, or was refused, belongs to the last one.
  void forget_typing();
  bool is_modified() const { return modified_; }
  bool applies_now() const { return applies_; }
  QString problem() const { return problem_; }
  /// Why a text that was left was not taken; empty without one.
  QString refused() const { return refused_; }

  /// True if every word of the query (lowercase) is in key, label or help. "@modified" and
  /// "@advanced", in the window's language too, select by state.
  bool matches(const QStringList& words) const;
  /// Whether its name or key has every word, not only its help.
  bool is_named(const QStringList& words) const;
  /// The family of the base model, by which some settings and choices have no effect.
  void set_family(ModelFamily family);
  /// Marks the setting as changeable in an active run.
  void set_live(bool live);
  /// What the plan makes of the value, below it; empty: nothing.
  void set_result(const QString& text);
  /// Places a widget below the editor.
  void add_below(QWidget* widget);
  /// The label above the editor instead of before it, where there is no room beside each other.
  void set_stacked(bool stacked);
  bool is_live() const { return live_; }

  static constexpr int kLabelWidth = 182;

 signals:
  /// Its height may change, for another reason than what is done in it.
  void about_to_grow();

 private:
  void arrange();
  void on_edited(bool typing);
  void on_moved();
  void on_left();
  void show_note(const char* role, const QString& text);
  void show_problem(const QString& problem);
  void update_state();

  const Setting& setting_;
  PresetDocument* document_;
  QString haystack_;
  QLabel *dot_, *label_, *range_, *note_;
  FieldEditor* editor_;
  QToolButton *reset_, *help_;
  QString problem_, refused_, result_;
  nlohmann::json known_;                  ///< the document's value as last seen here
  std::optional<nlohmann::json> before_;  ///< the one before the text being typed
  ModelFamily family_ = ModelFamily::automatic;
  bool modified_ = false, applies_ = true, live_ = false, stacked_ = false;
  bool storing_ = false;  ///< the document changes by this row
};

}  // namespace mantissa::gui
