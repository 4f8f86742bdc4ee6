#pragma once

#include <QObject>
#include <string>

#include "engine/run/run.h"

namespace mantissa::gui {

class QueueTest : public QObject {
  Q_OBJECT

 public:
  static JobSpec job_named(const std::string& name);

 private slots:
  void rows_tell_runs_apart();
  void a_tip_calls_settings_by_their_names();
  void runs_one_after_another();
  void failure_does_not_hold_it_up();
  void stopping_holds_it();
  void reorder_and_remove();
  void a_sweep_adds_its_runs();
  void survives_a_restart();
  void damaged_list_is_told();
  void closing_starts_nothing_more();
  void through_the_window();
  void a_run_of_a_sweep_keeps_its_value_and_the_page_in_front();
  void each_card_has_a_run();
  void a_run_beside_is_stopped_alone();
  void cards_in_use_are_left_alone();
  void the_queue_goes_on_after_a_run_without_the_window();
  void closing_saves_runs_beside();
};

}  // namespace mantissa::gui
