#pragma once

#include <QObject>

namespace mantissa::gui {

class RealEngineTest : public QObject {
  Q_OBJECT

 private slots:
  void trains_the_demo_through_the_window();
  void from_an_edit_to_the_comparison();
  void probe_ranks_as_the_command_does();
  void bad_base_is_told_in_the_window();
  void a_paused_run_renders_free_prompts();
  void the_form_shows_the_trained_noise_levels();
  void a_refused_resume_goes_on_where_a_button_says_so();
};

}  // namespace mantissa::gui
