#pragma once

#include <QWidget>

#include "engine/caption/image_describer.h"
#include "gui/base/Theme.h"
#include "gui/widgets/PathEdit.h"

class QPlainTextEdit;

namespace mantissa::gui {

class AppSettings;
class NoWheelSpin;

/// Which Qwen3-VL writes sentences about images, and what it is asked; kept for the next time.
class CaptionerForm : public QWidget {
  Q_OBJECT

 public:
  CaptionerForm(AppSettings* settings, const Theme* theme, QWidget* parent = nullptr);

  QuestionOptions options() const;
  /// What is missing or wrong; empty if images can be shown.
  QString lack() const;
  void remember() const;

  PathEdit* model() const { return model_; }
  QPlainTextEdit* prompt() const { return prompt_; }
  NoWheelSpin* largest_side() const { return side_; }

 signals:
  void changed();

 private:
  void lay_out();
  void recall();

  AppSettings* settings_;
  PathEdit* model_;
  QPlainTextEdit* prompt_;
  NoWheelSpin* side_;
};

}  // namespace mantissa::gui
