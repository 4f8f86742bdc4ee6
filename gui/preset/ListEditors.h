#pragma once

#include <map>
#include <vector>

#include "gui/preset/FieldEditor.h"

class QLineEdit;
class QPushButton;
class QVBoxLayout;
class QFrame;

namespace mantissa::gui {

class NoWheelCombo;

/// {pattern: dtype}: one line each.
class PinsEditor : public FieldEditor {
  Q_OBJECT

 public:
  PinsEditor(const EditorSpec& spec, const Theme* theme, QWidget* parent);
  void show_value(const nlohmann::json& value) override;
  nlohmann::json value() const override;

 private:
  struct Line {
    QWidget* box = nullptr;
    QLineEdit* pattern = nullptr;
    NoWheelCombo* type = nullptr;
  };
  Line& add_line();
  void remove_line(const QWidget* box);

  EditorSpec spec_;
  const Theme* theme_;
  QVBoxLayout* lines_layout_;
  std::vector<Line> lines_;
};

/// A list of objects: a small form for each.
class ObjectsEditor : public FieldEditor {
  Q_OBJECT

 public:
  /// `make` makes the editors of its fields.
  ObjectsEditor(const EditorSpec& spec, const Theme* theme, MakeEditor make, QWidget* parent);
  void show_value(const nlohmann::json& value) override;
  nlohmann::json value() const override;

 private:
  struct Item {
    QFrame* box = nullptr;
    std::vector<FieldEditor*> editors;  // one for each of spec_.fields
  };
  void add_item();
  void remove_item(const QFrame* box);
  nlohmann::json fresh_item() const;

  EditorSpec spec_;
  const Theme* theme_;
  MakeEditor make_;
  QVBoxLayout* items_layout_;
  std::vector<Item> items_;
};

}  // namespace mantissa::gui
