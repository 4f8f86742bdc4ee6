#pragma once

#include <QObject>
#include <QPointer>

class QWidget;

namespace mantissa::gui {

/// Keyboard focus after its control was hidden or disabled, by its own action or by an event of a
/// run: it moves to the nearest enclosing area that is still there. Qt would move it to the next
/// control in tab order, where Space triggers something else. Tab continues from the area. Serves
/// all windows of the program.
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
