#pragma once

#include <QObject>

namespace mantissa::gui {

class FormTest : public QObject {
  Q_OBJECT

 private slots:
  void every_setting_has_a_row();
  void editors_show_every_value();
  void edit_undo_redo();
  void typing_is_one_undo_step();
  void refused_value_is_told_and_given_up();
  void the_first_digits_of_a_refused_text_are_not_kept();
  void a_refused_number_leaves_its_neighbour();
  void a_refused_text_goes_with_its_preset();
  void reset_and_modified();
  void filter();
  void rows_without_effect_hide();
  void a_family_shows_what_it_has();
  void lists_grow_and_shrink();
  void ranks_of_layers_are_typed();
  void open_save_and_errors();
  void saved_elsewhere_it_has_the_name_of_its_file();
  void choices_have_names();
  void search_knows_common_words();
  void rows_stay_where_they_are();
  void paste_text();
  void a_narrow_form_stacks_its_rows();
  void a_wide_form_stays_readable();
};

}  // namespace mantissa::gui
