#pragma once

#include <QObject>

namespace mantissa::gui {

/// Every text of the window, the settings and the findings in every language.
class TranslationTest : public QObject {
  Q_OBJECT

 private slots:
  void files_hold_what_the_sources_say_data();
  void files_hold_what_the_sources_say();
  void english_knows_one_and_many();
  void no_language_is_no_english();
  void every_text_is_translated_data();
  void every_text_is_translated();
  void no_space_stands_before_a_percent_sign();
  void chinese_has_one_word_for_a_thing();
  void the_windows_words_are_for_messages_of_the_engine();
  void numbers_stand_where_they_belong_data();
  void numbers_stand_where_they_belong();
  void window_speaks_data();
  void window_speaks();
};

}  // namespace mantissa::gui
