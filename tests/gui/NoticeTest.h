#pragma once

#include <QObject>

namespace mantissa::gui {

/// Whom the end of a run is told, with a server on this machine.
class NoticeTest : public QObject {
  Q_OBJECT

 private slots:
  void a_runs_end_is_posted();
  void a_failure_is_posted_to_ntfy();
  void a_run_beside_is_told_too();
  void a_stopped_run_is_told_to_nobody();
  void a_failing_address_is_a_line_of_the_log();
  void the_dialog_keeps_what_is_chosen_and_sends_a_test();
  void what_is_no_address_is_told_in_the_dialog();
  void the_desktop_is_switched_off();
  void a_run_has_no_icon_where_notices_are_off();
  void an_icon_shows_the_run_and_what_it_can_be_told();
  void quitting_does_not_wait_for_a_slow_address();
  void screenshots();
};

}  // namespace mantissa::gui
