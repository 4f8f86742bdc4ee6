#pragma once

#include <QObject>

namespace mantissa::gui {

/// Windows, dialogs and questions on small screens.
class ScreenTest : public QObject {
  Q_OBJECT

 private slots:
  void small_screens_data();
  void small_screens();
  void the_window_opens_within_the_screen();
  void a_window_of_a_larger_screen_is_brought_in();
  void pages_have_their_room();
  void every_dialog_fits();
};

}  // namespace mantissa::gui
