#pragma once

#include <QObject>

namespace mantissa::gui {

class WidgetsTest : public QObject {
  Q_OBJECT

 private slots:
  void numbers_read_back();
  void numbers_are_read_as_people_type_them();
  void steps_change_the_leading_digit();
  void integers_step_within_bounds();
  void wheel_needs_focus();
  void a_row_of_tools_shows_the_names_that_fit();
  void a_row_of_tools_says_all_before_it_names_them();
  void percentages_have_no_space_and_no_powers_of_ten();
  void durations_and_bytes();
  void a_choice_that_does_not_fit_keeps_its_end();
  void a_long_name_breaks_where_a_label_wraps();
  void a_label_that_breaks_words_is_painted_once();
  void themes_have_contrast();
  void the_font_is_the_desktops_or_inter();
  void digits_beside_japanese_are_as_wide_as_others();
};

}  // namespace mantissa::gui
