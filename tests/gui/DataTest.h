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
  void many_captions_are_saved_beside_other_input();
  void captions_are_saved_while_one_types_on();
  void undo_takes_back_files_too();
  void another_programs_caption_is_kept();
  void a_caption_that_cannot_be_written_is_kept();
  void quitting_asks_about_captions_that_cannot_be_written();
  void another_language_waits_for_captions_that_cannot_be_written();
  void the_pages_keys_work_wherever_the_focus_is();
  void typing_is_one_step();
  void page_shows_images_and_what_is_left_out();
  void crop_is_the_engines();
  void versions_are_shown_as_they_are_encoded();
  void references_are_shown_beside_their_image();
  void tools_change_the_chosen();
  void tools_leave_hidden_captions_alone();
  void the_count_of_bare_images_follows_captions();
  void tags_in_use_follow_captions();
  void demo_captions_are_read_only();
  void rescans_when_folders_change();
  void counts_what_is_held_out();
  void images_come_from_a_bounded_cache();
  void screenshots();
  void folders_have_repeats_weights_and_prefixes();
  void epochs_are_counted_in_the_form();
  void duplicates_are_shown_in_groups();
  void duplicates_go_to_the_trash_with_what_belongs_to_them();
  void what_went_to_the_trash_comes_back();
  void captions_edited_since_the_scan_outlive_the_trash();
  void images_that_stood_out_in_a_run_are_shown();
  void a_comparison_can_be_cancelled();
  void demo_images_stay_where_they_are();
  void caption_differences_by_word();
  void an_edit_of_captions_is_shown_first();
  void many_captions_are_counted_in_slices();
  void many_images_are_filtered_in_slices();
  void sizes_are_left_out_in_the_table();
  void notices_name_what_is_not_as_meant();
  void captions_go_back_to_their_own_file();
  void a_list_of_nothing_says_so();
  void names_of_skipped_files_are_whole();
  void captions_are_checked_again();
  void a_folder_that_cant_be_shown_is_told();
  void a_mask_is_painted_as_training_reads_it();
  void escape_saves_a_mask_and_cancel_discards_it();
  void strokes_of_a_mask_are_undone();
  void a_soft_brush_fades_and_never_adds_up();
  void a_mask_goes_to_the_trash_and_comes_back();
  void the_key_that_opened_a_mask_saves_it();
  void another_programs_mask_is_kept();
  void masks_that_a_preset_doesnt_use_are_told();
  void screenshots_of_masks();
  void images_without_a_caption_are_shown();
  void what_a_tokenizer_cuts_is_marked();
  void captions_change_by_a_pattern();
  void images_with_one_caption_file_have_one_caption();
  void an_undone_caption_has_the_bytes_it_had();
  void tags_are_sorted_and_repeated_ones_removed();
  void images_are_shown_larger();
  void a_taggers_captions_are_reviewed_and_written();
  void a_taggers_captions_are_undone_as_one_step();
  void the_latest_captions_are_put_back_after_a_start();
  void a_tagger_takes_the_selected_images();
  void images_that_got_a_caption_leave_the_filter();
  void captioning_is_cancelled_at_once();
  void a_broken_tagger_or_image_is_told();
  void a_served_models_captions_are_reviewed();
  void a_served_model_that_fails_is_told();
  void a_served_model_is_cancelled_at_once();
  void a_qwen3_vl_is_recognised_and_writes_sentences();
  void a_qwen3_vl_is_cancelled_at_once();
  void captions_are_read_in_the_chosen_encoding();
  void a_caption_that_changed_is_not_converted();
  void captions_in_utf8_need_no_encoding();
  void screenshots_of_the_tagger();
  void the_page_fits_a_small_window_data();
  void the_page_fits_a_small_window();
};

}  // namespace mantissa::gui
