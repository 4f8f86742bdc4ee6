#pragma once

#include <QObject>

namespace mantissa::gui {

class WindowTest : public QObject {
  Q_OBJECT

 private slots:
  void language_changes_live();
  void help_is_in_the_window();
  void nothing_is_cut_in_the_smallest_window();
  void its_parts_are_made_where_they_stand();
  void every_widget_has_a_name();
  void shortcuts_are_unique();
  void start_needs_a_base();
  void buttons_follow_the_state();
  void nan_gets_gap_and_markers();
  void failure_card();
  void failure_without_a_checkpoint_names_none();
  void precision_fix_is_undoable();
  void closing_waits_for_the_run();
  void samples_fill_the_grid();
  void opens_a_recorded_run();
  void draft_stays_editable();
  void text_is_never_markup();
  void the_step_has_room_before_the_memory();
  void built_in_presets_are_once_in_the_menu();
  void screenshots();
};

}  // namespace mantissa::gui
