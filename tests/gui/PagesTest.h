#pragma once

#include <QObject>

namespace mantissa::gui {

class PagesTest : public QObject {
  Q_OBJECT

 private slots:
  void every_row_is_whole();
  void rows_speak_every_language_data();
  void rows_speak_every_language();
  void rail_and_menu_follow_the_table();
  void every_page_by_key();
  void every_focusable_widget_has_a_name();
  void every_view_and_plot_is_explained();
  void palette_has_contrast();
  void shortcuts_dialog_lists_the_keys();
  void wizard_leads_to_the_demo();
  void wizard_says_what_the_base_model_is();
  void wizard_can_be_skipped_and_comes_once();
  void wizard_has_every_family();
};

}  // namespace mantissa::gui
