#pragma once

#include <QObject>

namespace mantissa::gui {

class DataTest : public QObject {
  Q_OBJECT

 private slots:
  void a_folders_name_is_no_caption();
  void an_empty_page_offers_folders();
  void tags();
  void captions_save_themselves();
  void captions_are_saved_while_one_types_on();
  void undo_takes_back_files_too();
  void another_programs_caption_is_kept();
  void typing_is_one_step();
  void page_shows_images_and_what_is_left_out();
  void crop_is_the_engines();
  void versions_are_shown_as_they_are_encoded();
  void tools_change_the_chosen();
  void demo_captions_are_read_only();
  void rescans_when_folders_change();
  void counts_what_is_held_out();
  void images_come_from_a_bounded_cache();
  void screenshots();
  void folders_have_repeats_weights_and_prefixes();
  void epochs_are_counted_in_the_form();
};

}  // namespace mantissa::gui
