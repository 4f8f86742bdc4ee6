#pragma once

#include <QObject>

namespace mantissa::gui {

/// Runs on several cards through the window, with CUDA's kernels on the host.
class CardsTest : public QObject {
  Q_OBJECT

 private slots:
  void ticked_cards_train_one_run();
  void ticked_cards_hold_one_model();
  void each_ticked_card_trains_a_run();
  void arguments_hold_the_whole_job();
  void a_program_that_hangs_is_stopped();
  void a_program_that_fails_is_quoted();
};

}  // namespace mantissa::gui
