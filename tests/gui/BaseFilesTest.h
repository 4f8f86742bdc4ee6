#pragma once

#include <QObject>

namespace mantissa::gui {

/// The dialog that makes a base model of separate files.
class BaseFilesTest : public QObject {
  Q_OBJECT

 private slots:
  void what_fits_is_filled_in_and_saved();
  void what_does_not_fit_is_told_and_blocks_saving();
  void another_family_has_other_rows();
  void a_list_is_changed();
  void another_file_is_not_replaced();
  void a_lone_transformer_offers_it();
  void keys_lead_through_it();
  void nothing_is_cut_off();
};

}  // namespace mantissa::gui
