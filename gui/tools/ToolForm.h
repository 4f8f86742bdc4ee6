#pragma once

#include <QWidget>
#include <map>

#include "engine/tools/run_tool.h"
#include "gui/base/Theme.h"
#include "gui/widgets/PathEdit.h"

class QCheckBox;
class QFormLayout;
class QVBoxLayout;

namespace mantissa::gui {

class NoWheelCombo;
class NoWheelSpin;
class SciSpin;
class ToolAdapters;

/// What the engine says of tools, in the window's words: options by the labels of their fields.
QString tool_text(const Message& message);

/// The options of a tool, each with what it does.
class ToolForm : public QWidget {
  Q_OBJECT

 public:
  ToolForm(ToolRow row, const Theme* theme, QWidget* parent = nullptr);

  const ToolRow& row() const { return row_; }
  /// Throws Error for an adapter that isn't there.
  ToolRequest request() const;
  /// What is missing before it can begin, as a sentence; empty if nothing is.
  QString missing() const;
  /// A file for the first field that takes one.
  void take_file(const QString& path);
  PathEdit* path(ToolField field) const;
  NoWheelCombo* box(ToolField field) const;
  NoWheelSpin* rank() const { return rank_; }
  SciSpin* energy() const { return energy_; }
  QCheckBox* overwrite() const { return overwrite_; }
  ToolAdapters* adapters() const { return adapters_; }

 signals:
  void changed();

 private:
  QWidget* make_field(const ToolOption& option);
  QWidget* make_path(const ToolOption& option);
  QWidget* make_box(const ToolOption& option);
  std::string text(ToolField field) const;

  ToolRow row_;
  const Theme* theme_;
  std::map<ToolField, PathEdit*> paths_;
  std::map<ToolField, NoWheelCombo*> boxes_;
  NoWheelSpin* rank_ = nullptr;
  SciSpin* energy_ = nullptr;
  QCheckBox* overwrite_ = nullptr;
  ToolAdapters* adapters_ = nullptr;
};

}  // namespace mantissa::gui
