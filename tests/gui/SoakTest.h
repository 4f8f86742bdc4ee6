#pragma once

#include <QObject>

namespace mantissa::gui {

class SoakTest : public QObject {
  Q_OBJECT

 private slots:
  void two_hundred_steps_a_second();
  void hidden_window_loses_nothing();
};

}  // namespace mantissa::gui
