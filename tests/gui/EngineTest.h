#pragma once

#include <QObject>

namespace mantissa::gui {

class EngineTest : public QObject {
  Q_OBJECT

 private slots:
  void runs_to_the_end();
  void pause_is_acknowledged();
  void stop_while_paused();
  void slow_stop_shows_stopping();
  void stop_and_save_reports_checkpoint();
  void cancel_while_preparing();
  void failure_keeps_message_and_checkpoint();
  void foreign_exception_is_a_failure();
  void log_flood_is_batched();
  void check_then_start();
  void destructor_stops_the_run();
  void destructor_leaves_a_run_apart();
};

}  // namespace mantissa::gui
