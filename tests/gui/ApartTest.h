#pragma once

#include <QObject>

namespace mantissa::gui {

class ApartTest : public QObject {
  Q_OBJECT

 private slots:
  void a_run_outlives_the_window();
  void it_follows_every_request();
  void a_killed_process_is_told_and_resumed();
  void one_killed_while_the_window_is_closed_is_offered();
  void a_run_is_handed_over_to_the_bit();
  void one_that_finishes_meanwhile_is_told();
  void queued_runs_outlive_the_window();
  void one_that_does_not_begin_is_told();
  void the_sheet_names_what_happens();
};

}  // namespace mantissa::gui
