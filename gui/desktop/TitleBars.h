#pragma once

#include <QObject>

class QApplication;
class QWidget;

namespace mantissa::gui {

class Theme;

/// Gives the title bars of all windows, dialogs too, the theme's brightness. Windows draws them
/// light unless told otherwise; elsewhere they are the desktop's own.
class TitleBars : public QObject {
  Q_OBJECT

 public:
  TitleBars(QApplication& app, const Theme& theme, QObject* parent = nullptr);

  bool eventFilter(QObject* object, QEvent* event) override;

 private:
  void paint(const QWidget& window) const;

  const Theme& theme_;
};

}  // namespace mantissa::gui
