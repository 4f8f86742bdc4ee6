#pragma once

#include <QObject>

namespace mantissa::gui {

/// The one list of all that a start would find, with the engine's own function.
class PreflightTest : public QObject {
  Q_OBJECT

 private slots:
  void cleanup();
  void a_missing_base_blocks_and_is_over_when_mended();
  void pickles_are_refused();
  void what_start_would_refuse_is_in_the_list();
  void small_images_and_the_time_are_told();
  void a_missing_folder_is_left_out_with_a_click();
  void a_training_adapter_is_part_of_the_job();
  void an_occupied_run_folder_is_left_with_a_click();
  void a_run_with_other_settings_starts_anew_with_a_click();
  void what_blocks_comes_first_and_stays_in_sight();
  void a_low_window_shows_the_first_lines();
  void a_low_window_cuts_no_line_data();
  void a_low_window_cuts_no_line();
  void memory_is_fixed_from_the_list();
  void the_list_is_that_of_the_command();
  void a_fixed_line_keeps_the_focus_in_the_list();
  void lines_are_whole_and_open_their_explanation();
  void a_problem_told_twice_is_shown_once();
  void what_is_wrong_with_files_is_told();
  void findings_move_no_field();
};

}  // namespace mantissa::gui
