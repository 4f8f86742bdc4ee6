#pragma once

#include <QWidget>

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
  bool is_modified() const { return modified_; }
  bool applies_now() const { return applies_; }
  QString problem() const { return problem_; }

  /// True if every word of the query (lowercase) is in key, label or help. "@modified" and
  /// "@advanced" select by state.
  bool matches(const QStringList& words) const;
  void set_editable(bool editable);
  /// Marks the setting as changeable in an active run.
  void set_live(bool live);
  bool is_live() const { return live_; }

  static constexpr int kLabelWidth = 182;

 private:
  void on_edited(bool typing);
  void on_left();
  void show_problem(const QString& problem);
  void update_state();

  const Setting& setting_;
  PresetDocument* document_;
  QString haystack_;
  QLabel *dot_, *label_, *range_, *note_;
  FieldEditor* editor_;
  QToolButton *reset_, *help_;
  QString problem_;
  bool modified_ = false, applies_ = true, editable_ = true, live_ = false;
};

}  // namespace mantissa::gui
