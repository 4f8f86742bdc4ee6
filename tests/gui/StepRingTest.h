#pragma once

#include <QObject>

namespace mantissa::gui {

class StepRingTest : public QObject {
  Q_OBJECT

 private slots:
  void keeps_order();
  void counts_what_it_drops();
  void carries_between_threads();
  void starts_over();
};

}  // namespace mantissa::gui
