#pragma once

#include <QWidget>

#include "engine/caption/caption_endpoint.h"

class QLabel;
class QLineEdit;
class QPlainTextEdit;

namespace mantissa::gui {

class AppSettings;
class NoWheelSpin;

/// How a model is asked that a program serves, and where that program is; kept for the next time.
class EndpointForm : public QWidget {
  Q_OBJECT

 public:
  explicit EndpointForm(AppSettings* settings, QWidget* parent = nullptr);

  EndpointOptions options() const;
  /// What is missing or wrong; empty if images can be sent.
  QString lack() const;
  void remember() const;

  QLineEdit* address() const { return address_; }
  QLineEdit* model() const { return model_; }
  QPlainTextEdit* prompt() const { return prompt_; }
  NoWheelSpin* largest_side() const { return side_; }
  /// Where the images go.
  QString where() const;

 signals:
  void changed();

 private:
  void lay_out();
  void recall();
  void tell_where();

  AppSettings* settings_;
  QLineEdit *address_, *model_;
  QPlainTextEdit* prompt_;
  NoWheelSpin* side_;
  QLabel* where_;
};

}  // namespace mantissa::gui
