#pragma once

#include <QWidget>
#include <functional>
#include <nlohmann/json.hpp>
#include <span>
#include <string_view>

#include "engine/preset/schema.h"
#include "gui/base/Theme.h"

namespace mantissa::gui {

/// The properties of a Setting or an ItemField that an editor needs.
struct EditorSpec {
  QString key;   ///< of the setting, or "optimizer.groups.type"
  QString name;  ///< accessible name
  Kind kind = Kind::text;
  double min = 0, max = 0;
  std::span<const std::string_view> choices{};
  std::span<const ItemField> fields{};
  bool prose = false;     ///< several lines
  bool optional = false;  ///< may be left empty: value() is then null

  static EditorSpec of(const Setting& setting);
  /// A field of entry `number` of a list setting.
  static EditorSpec of(const ItemField& field, const EditorSpec& owner, const QString& number);
};

/// Shows and changes one value. Doesn't validate: emits whatever was typed, and listeners report
/// problems.
class FieldEditor : public QWidget {
  Q_OBJECT

 public:
  using QWidget::QWidget;

  /// Shows `value`; null clears. Text already equal to `value` stays as typed.
  virtual void show_value(const nlohmann::json& value) = 0;
  /// The current value; text that can't be parsed as its kind is returned as a string.
  virtual nlohmann::json value() const = 0;
  /// Hides the choices that `offered` refuses, unless they are chosen; only of a list of choices.
  virtual void offer(const std::function<bool(std::string_view choice)>& offered) {}
  /// Marks the frame of a single-line editor.
  void set_invalid(bool invalid);

 signals:
  void edited(bool typing);
  /// The focus moved to another field of this editor.
  void moved();
  /// The focus moved outside this editor.
  void left();

 protected:
  /// Reports `child` losing the focus, and makes it the focus proxy.
  void watch(QWidget* child);
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  bool leaving_ = false;
};

/// Makes the editor for a value (EditorFactory.h); for editors that hold others.
using MakeEditor = FieldEditor* (*)(const EditorSpec& spec, const Theme* theme, QWidget* parent);

}  // namespace mantissa::gui
