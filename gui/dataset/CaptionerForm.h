#pragma once

#include "engine/caption/image_describer.h"
#include "gui/base/Theme.h"
#include "gui/dataset/QuestionForm.h"
#include "gui/widgets/PathEdit.h"

namespace mantissa::gui {

class AppSettings;

/// Which Qwen3-VL writes sentences about images, and what it is asked; kept for the next time.
class CaptionerForm : public QuestionForm {
  Q_OBJECT

 public:
  CaptionerForm(AppSettings* settings, const Theme* theme, QWidget* parent = nullptr);

  QuestionOptions options() const;
  void remember() const;

  PathEdit* model() const { return model_; }

 protected:
  QString lack_of_model() const override;

 private:
  AppSettings* settings_;
  PathEdit* model_;
};

}  // namespace mantissa::gui
