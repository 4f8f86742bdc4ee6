#pragma once

#include <QObject>

namespace mantissa::gui {

class ChaosTest : public QObject {
  Q_OBJECT

 private slots:
  void thousands_of_clicks();
  void refusal_to_stop_is_waited_for();
  void thousand_cycles_leave_nothing();
};

}  // namespace mantissa::gui
