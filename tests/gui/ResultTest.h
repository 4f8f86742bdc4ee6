#pragma once

#include <QObject>

namespace mantissa::gui {

/// What comes after the end of a run.
class ResultTest : public QObject {
  Q_OBJECT

 private slots:
  void verdicts_are_sentences();
  void a_damaged_record_is_told();
  void a_suggested_checkpoint_is_told();
  void a_sign_of_memorising_is_told();
  void the_first_and_last_sample_of_a_prompt();
  void a_finished_run_shows_its_result();
  void a_stopped_run_leaves_the_curves();
  void history_shows_the_result_of_a_run();
  void adapters_are_copied_to_a_found_folder();
  void a_folder_is_asked_for_once();
  void no_file_is_replaced_unasked();
  void a_copy_that_fails_leaves_nothing();
  void train_again_takes_the_settings();
  void folders_that_are_gone_are_told();
  void screenshots();
};

}  // namespace mantissa::gui
