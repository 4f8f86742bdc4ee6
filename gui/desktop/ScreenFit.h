#pragma once

#include <QObject>
#include <QSize>

class QApplication;
class QWidget;

namespace mantissa::gui {

/// Bounds of every window and dialog of the program: none is shown larger than the room on its
/// screen, nor outside of it, whatever it asks for or was left at on a larger screen.
class ScreenFit : public QObject {
  Q_OBJECT

 public:
  explicit ScreenFit(QApplication& app, QObject* parent = nullptr);

  /// What a window may be at most, without its frame and what desktops keep for themselves.
  static QSize room(const QWidget& window);
  /// Bounds a window now.
  static void fit(QWidget& window);

 protected:
  bool eventFilter(QObject* object, QEvent* event) override;
};

}  // namespace mantissa::gui
