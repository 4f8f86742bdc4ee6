#pragma once

#include <QObject>

namespace mantissa::gui {

class DiskTest : public QObject {
  Q_OBJECT

 private slots:
  void a_full_disk_pauses_and_retry_goes_on();
  void a_wait_is_in_the_log_and_has_one_marker();
  void the_run_goes_on_in_another_folder();
  void it_can_be_stopped();
  void stop_and_save_tries_again_and_then_stops();
  void closing_the_studio_does_not_wait();
};

}  // namespace mantissa::gui
