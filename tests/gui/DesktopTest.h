#pragma once

#include <QObject>

namespace mantissa::gui {

class DesktopTest : public QObject {
  Q_OBJECT

 private slots:
  void awake_while_it_works();
  void another_start_hands_its_file_over();
  void busy_with_a_dialog_it_takes_no_file();
};

}  // namespace mantissa::gui
