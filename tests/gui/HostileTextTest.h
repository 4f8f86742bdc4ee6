#pragma once

#include <QObject>

namespace mantissa::gui {

class HostileTextTest : public QObject {
  Q_OBJECT

 private slots:
  void the_scan_finds_what_is_hidden();
  void images_and_captions();
  void runs_in_the_history();
  void a_run_and_its_end();
  void presets_and_the_queue();
};

}  // namespace mantissa::gui
