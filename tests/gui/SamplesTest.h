#pragma once

#include <QObject>

namespace mantissa::gui {

class SamplesTest : public QObject {
  Q_OBJECT

 private slots:
  void slider_and_keys_move_through_the_grid();
  void cells_fill_the_window();
  void the_form_is_aligned();
  void before_and_after_are_split();
  void strength_needs_a_finished_adapter();
  void strength_renders_on_the_engine_thread();
  void rendering_gives_way_to_a_run();
  void a_negative_prompt_without_effect_is_told();
  void free_prompts_are_rendered();
  void free_prompts_make_tables();
  void a_paused_run_renders_free_prompts();
  void live_settings_reach_the_run();
  void edits_of_a_run_found_in_progress_can_be_applied();
  void prompts_are_text_and_no_markup();
};

}  // namespace mantissa::gui
