#pragma once

#include <QObject>

namespace mantissa::gui {

class SamplesTest : public QObject {
  Q_OBJECT

 private slots:
  void slider_and_keys_move_through_the_grid();
  void before_and_after_are_split();
  void strength_needs_a_finished_adapter();
  void strength_renders_on_the_engine_thread();
  void rendering_gives_way_to_a_run();
  void live_settings_reach_the_run();
  void prompts_are_text_and_no_markup();
};

}  // namespace mantissa::gui
