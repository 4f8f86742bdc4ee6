#pragma once

#include <QObject>

namespace mantissa::gui {

class DeviceTest : public QObject {
  Q_OBJECT

 private slots:
  void an_unwritable_home_is_told();
  void shows_every_device_and_why_not();
  void copies_as_text();
  void this_machine_is_told();
  void notice_when_a_run_ends_unseen();
  void title_says_how_far();
};

}  // namespace mantissa::gui
