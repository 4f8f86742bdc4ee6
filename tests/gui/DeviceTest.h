#pragma once

#include <QObject>

namespace mantissa::gui {

class DeviceTest : public QObject {
  Q_OBJECT

 private slots:
  void an_unwritable_home_is_told();
  void shows_every_device_and_why_not();
  void copies_as_text();
  void devices_are_tested_by_a_click();
  void this_machine_is_told();
  void notice_when_a_run_ends_unseen();
  void title_says_how_far();
  void ticked_cards_train();
  void ticked_cards_hold_one_model();
  void findings_of_a_split_are_met_by_a_click();
  void ticks_follow_setup();
  void the_first_card_is_chosen_until_the_user_chooses();
  void cards_that_are_gone_are_not_chosen();
  void missing_libraries_are_installed_by_a_click();
  void an_installation_is_cancelled_and_its_failure_told();
};

}  // namespace mantissa::gui
