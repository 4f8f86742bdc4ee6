#pragma once

#include <QDialog>

#include "gui/app/WindowQuestions.h"

class QPushButton;

namespace mantissa::gui {

/// Asks what becomes of the runs in progress when the window is closed.
class CloseSheet : public QDialog {
  Q_OBJECT

 public:
  CloseSheet(const QString& text, bool may_go_on, QWidget* parent);
  QPushButton* button(WindowQuestions::Closing how) const {
    return how == WindowQuestions::Closing::stop ? stop_ : apart_;
  }
  QPushButton* keep() const { return keep_; }

 signals:
  void chosen(WindowQuestions::Closing how);

 private:
  void choose(WindowQuestions::Closing how);

  QPushButton *keep_, *stop_, *apart_;
};

}  // namespace mantissa::gui
