#pragma once

#include <QObject>

namespace mantissa::gui {

class HistoryTest : public QObject {
  Q_OBJECT

 private slots:
  void legends_have_the_tables_names();
  void tools_fit_the_smallest_window();
  void empty_history_says_so();
  void lists_searches_and_filters();
  void the_list_never_scrolls_sideways();
  void tags_and_notes_are_kept();
  void compares_runs();
  void axis_ends_with_the_last_step();
  void same_prompt_side_by_side();
  void a_run_of_another_program_is_watched();
  void a_finished_run_that_goes_on_is_drawn_again();
  void opens_a_live_run_on_the_train_page();
  void an_earlier_run_is_not_told_as_the_last();
  void interrupted_run_is_offered();
  void duplicates_into_setup();
  void verifies_a_run();
  void offers_to_verify_after_an_update();
  void deletes_and_brings_back();
  void never_deletes_outside_the_runs_folder();
  void a_run_that_goes_on_stays();
  void exports();
  void rows_change_in_place();
  void ten_thousand_runs();
  void failed_runs_say_why();
  void runs_cancelled_before_their_first_step_are_out_of_the_way();
  void compare_chooses_the_run_and_another();
  void curves_are_smoothed_as_on_the_train_page();
  void screenshots();
};

}  // namespace mantissa::gui
