#pragma once

#include <QObject>

namespace mantissa::gui {

/// Pages without content offer what brings it.
class EmptyPagesTest : public QObject {
  Q_OBJECT

 private slots:
  void train_starts_a_run();
  void history_starts_a_run();
  void start_leads_to_what_is_missing();
  void samples_offer_the_next_step();
  void tests_of_the_draft_start_from_their_page();
  void a_folder_dropped_on_data_is_added();
};

}  // namespace mantissa::gui
