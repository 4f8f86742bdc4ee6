#pragma once

#include <QObject>

namespace mantissa::gui {

class TrainPageTest : public QObject {
  Q_OBJECT

 private slots:
  void a_fatal_step_has_a_marker_and_a_fix();
  void the_log_has_times_and_events();
  void the_log_can_be_searched();
  void long_paths_are_short_in_the_log();
  void the_newest_line_is_whole();
  void plots_count_training_time();
  void rare_events_arrive_whole();
  void a_window_that_stands_still_misses_no_health();
  void what_waits_is_bounded_and_losses_are_told();
  void plots_are_chosen_and_remembered();
  void times_of_a_step_are_written_alike();
  void plots_are_shown_by_use();
  void every_series_is_fed();
  void markers_open_their_cards();
  void cards_leave_the_curves_their_place();
  void normal_skips_need_no_change();
  void fix_goes_to_the_draft();
  void keyboard_walks_the_markers();
  void resume_voids_later_markers();
  void processes_have_their_rates();
  void phases_have_units_and_an_eta();
  void a_cancelled_preparation_says_what_it_ends();
  void commands_stay_where_they_are();
};

}  // namespace mantissa::gui
