#pragma once

#include <QObject>

namespace mantissa::gui {

/// Around the pages: messages, the focus on its way through them, languages without a font.
class FrameTest : public QObject {
  Q_OBJECT

 private slots:
  void cleanup();
  void messages_do_not_move_the_page_data();
  void messages_do_not_move_the_page();
  void notices_go_with_their_page();
  void a_notice_waits_for_its_reader();
  void a_message_leaves_the_last_rows_free();
  void the_window_fits_a_small_screen();
  void a_message_covers_nothing_in_a_small_window();
  void the_form_never_scrolls_sideways_data();
  void the_form_never_scrolls_sideways();
  void the_focus_jumps_to_no_other_button();
  void the_focus_of_what_goes_stays_near();
  void every_tab_stop_shows_its_focus_data();
  void every_tab_stop_shows_its_focus();
  void a_language_without_a_font_has_a_hint();
  void the_menu_hints_before_it_changes_the_language();
  void a_start_in_such_a_language_hints();
};

}  // namespace mantissa::gui
