#pragma once

#include <QObject>

namespace mantissa::gui {

/// What survives a quit, a crash and a stop, and what is said about it.
class RecoveryTest : public QObject {
  Q_OBJECT

 private slots:
  void work_survives_a_crash();
  void quitting_keeps_edits_unasked();
  void edits_that_cannot_be_kept_are_asked_about();
  void a_broken_draft_is_told_and_set_aside();
  void stop_says_what_would_be_lost();
  void the_question_of_a_stop_follows_the_run();
  void steps_count_before_their_state_arrives();
  void a_question_about_a_run_ends_with_it();
  void a_saved_run_stops_unasked();
  void a_run_left_by_quitting_is_offered();
  void resuming_from_nothing_is_starting_over();
  void a_run_is_continued_once();
  void each_view_of_setup_comes_back();
  void resuming_asks_nothing_and_leaves_the_draft();
  void a_finished_run_continues_with_more_steps();
  void a_resumed_run_has_its_eta_at_once();
};

}  // namespace mantissa::gui
