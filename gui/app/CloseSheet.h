#pragma once

#include <QDialog>

class QPushButton;

namespace mantissa::gui {

/// What becomes of the runs in progress when the window is closed: they are saved and stopped, or a
/// single one continues in a process of its own.
enum class Closing { stop, apart };

/// Asks what becomes of the runs in progress when the window is closed.
class CloseSheet : public QDialog {
  Q_OBJECT

 public:
  CloseSheet(const QString& text, bool may_go_on, QWidget* parent);
  QPushButton* button(Closing how) const { return how == Closing::stop ? stop_ : apart_; }
  QPushButton* keep() const { return keep_; }

 signals:
  void chosen(Closing how);

 private:
  void choose(Closing how);

  QPushButton *keep_, *stop_, *apart_;
};

}  // namespace mantissa::gui
