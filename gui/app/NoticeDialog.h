#pragma once

#include <QDialog>

class QCheckBox;
class QLabel;
class QLineEdit;
class QPushButton;

namespace mantissa::gui {

class AppSettings;
class NoticeTask;
class Notifier;
class NoWheelCombo;

/// Whom the end of a run is told; kept in this program's settings as it is changed.
class NoticeDialog : public QDialog {
  Q_OBJECT

 public:
  NoticeDialog(AppSettings* settings, Notifier* notifier, QWidget* parent);

  QCheckBox* desktop() const { return desktop_; }
  NoWheelCombo* form() const { return form_; }
  QLineEdit* address() const { return address_; }
  QPushButton* test_button() const { return test_; }
  QString status() const;

 private:
  void lay_out();
  void recall();
  void take_changes();
  void send_test();
  void say(const QString& text, bool error = false);
  /// As the settings keep it; empty: nowhere.
  QString whole_address() const;

  AppSettings* settings_;
  Notifier* notifier_;
  NoticeTask* task_;
  QCheckBox* desktop_;
  NoWheelCombo* form_;
  QLineEdit* address_;
  QLabel* status_;
  QPushButton *test_, *close_;
};

}  // namespace mantissa::gui
