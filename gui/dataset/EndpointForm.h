#pragma once

#include "engine/caption/caption_endpoint.h"
#include "gui/dataset/QuestionForm.h"

class QLabel;
class QLineEdit;

namespace mantissa::gui {

class AppSettings;

/// How a model is asked that a program serves, and where that program is; kept for the next time.
class EndpointForm : public QuestionForm {
  Q_OBJECT

 public:
  explicit EndpointForm(AppSettings* settings, QWidget* parent = nullptr);

  EndpointOptions options() const;
  void remember() const;

  QLineEdit* address() const { return address_; }
  QLineEdit* model() const { return model_; }
  /// Where the images go.
  QString where() const;

 protected:
  QString lack_of_model() const override;

 private:
  void tell_where();

  AppSettings* settings_;
  QLineEdit *address_, *model_;
  QLabel* where_;
};

}  // namespace mantissa::gui
