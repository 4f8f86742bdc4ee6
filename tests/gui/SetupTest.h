#pragma once

#include <QObject>

namespace mantissa::gui {

/// Presets in and out of the Setup page, and its preflight.
class SetupTest : public QObject {
  Q_OBJECT

 private slots:
  void a_search_lists_names_first();
  void runs_are_named_after_their_parts();
  void text_is_edited_with_its_mistakes_told();
  void text_follows_the_form();
  void single_values_are_taken_from_another_preset();
  void imports_show_what_would_change();
  void open_takes_what_import_takes();
  void a_reader_that_dies_ends_no_run();
  void every_way_in_reads_in_another_process();
  void refused_files_are_told();
  void drops_are_taken_for_what_they_are();
  void a_dropped_base_model_is_taken_in_any_form();
  void picker_groups_presets();
  void recent_files_are_kept();
  void plan_follows_every_edit();
  void plan_is_quick();
  void late_check_is_not_shown();
  void errors_block_start();
  void fixes_are_shown_before_they_are_made();
  void warnings_are_ignored_for_a_preset();
  void the_estimated_step_is_told();
  void what_would_make_it_fit();
  void every_fit_button_makes_its_own_change();
  void screenshots();
};

}  // namespace mantissa::gui
