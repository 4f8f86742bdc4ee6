#pragma once

#include <QObject>

namespace mantissa::gui {

/// What the engine refuses while it prepares a run is in the preflight before Start.
class RefusalTest : public QObject {
  Q_OBJECT

 private slots:
  void each_is_shown_before_start_data();
  void each_is_shown_before_start();
  void none_is_forgotten();
};

}  // namespace mantissa::gui
