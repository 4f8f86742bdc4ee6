#pragma once

#include <QObject>

namespace mantissa::gui {

/// The probe in the window: ranking, pins, progress, cancelling, its place beside runs; and the
/// test of learning rates.
class ProbeTest : public QObject {
  Q_OBJECT

 private slots:
  void cleanup();
  void ranks_layers_by_damage();
  void a_click_pins_a_layer_and_undo_takes_it_back();
  void suggested_pins_with_one_button();
  void finds_types_and_writes_the_one_chosen();
  void is_cancelled_with_a_button();
  void a_run_takes_precedence();
  void problems_are_told_in_place();
  void survives_another_language();
  void tests_learning_rates_and_uses_the_suggestion();
  void a_rate_test_is_cancelled_and_refused();
  void a_curve_without_a_suggestion_offers_none();
  void screenshots();
};

}  // namespace mantissa::gui
