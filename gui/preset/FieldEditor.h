#pragma once

#include <QWidget>
#include <nlohmann/json.hpp>
#include <span>
#include <string_view>

#include "engine/preset/schema.h"
#include "gui/base/Theme.h"

namespace mantissa::gui {

/// What an editor has to know of a Setting or an ItemField.
struct EditorSpec {
  QString name;  ///< accessible name
  Kind kind = Kind::text;
  double min = 0, max = 0;
  std::span<const std::string_view> choices{};
  std::span<const ItemField> fields{};
  bool prose = false;     ///< several lines
  bool optional = false;  ///< may be left empty: value() is then null

  static EditorSpec of(const Setting& setting);
  static EditorSpec of(const ItemField& field, const QString& owner);
};

/// Shows and changes one value. Holds no rules: whatever was typed is given out, and who listens
/// says what is wrong with it.
class FieldEditor : public QWidget {
  Q_OBJECT

 public:
  using QWidget::QWidget;

  /// Shows `value` in place; null clears. What already reads as `value` stays as typed.
  virtual void show_value(const nlohmann::json& value) = 0;
  /// What stands there now; text that can't be read as the kind comes as a string.
  virtual nlohmann::json value() const = 0;
  /// Marks the frame of a single-line editor.
  void set_invalid(bool invalid);

 signals:
  void edited(bool typing);
  /// The focus went to another widget outside this editor.
  void left();

 protected:
  /// Reports `child` losing the focus, and takes it as the keyboard's way in.
  void watch(QWidget* child);
  bool eventFilter(QObject* watched, QEvent* event) override;
};

FieldEditor* make_editor(const EditorSpec& spec, const Theme* theme, QWidget* parent);

}  // namespace mantissa::gui
