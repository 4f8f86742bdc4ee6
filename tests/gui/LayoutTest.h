#pragma once

#include <QObject>

namespace mantissa::gui {

/// Every view of every page has room for what it shows, in all languages.
class LayoutTest : public QObject {
  Q_OBJECT

 private slots:
  void cleanup();
  void everything_has_its_room_data();
  void everything_has_its_room();
  void an_icon_alone_has_a_name_and_a_tip();
  void tips_call_settings_by_their_names();
  void what_stands_alone_begins_with_a_capital();
  void the_guide_says_that_it_is_in_english_data();
  void the_guide_says_that_it_is_in_english();
  void a_squeezed_text_is_noticed();
};

}  // namespace mantissa::gui
