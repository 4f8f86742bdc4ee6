#pragma once

#include <QObject>
#include <QPointer>

class QWidget;

namespace mantissa::gui {

/// Where the keyboard goes when the control that has it is hidden or disabled, by its own action
/// or by what happens in a run: to the nearest area around it that is still there. Qt gives it to
/// the next control in the order of Tab, where Space would then do something else. Tab goes on
/// from the area. For all windows of the program.
class FocusKeeper : public QObject {
  Q_OBJECT

 public:
  explicit FocusKeeper(QObject* parent);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void on_moved(QWidget* old, QWidget* now);

  QPointer<QWidget> watched_;  ///< the control that has the focus, or had it in a window behind
};

}  // namespace mantissa::gui
