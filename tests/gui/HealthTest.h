#pragma once

#include <QObject>

namespace mantissa::gui {

class HealthTest : public QObject {
  Q_OBJECT

 private slots:
  void colors_read_without_colour();
  void badness_of_known_values();
  void data_keeps_order_and_bounds();
  void earlier_records_join_later_ones();
  void cells_use_the_width();
  void a_large_map_costs_what_is_in_view();
  void labelled_columns_are_equally_far();
  void run_fills_the_map();
  void cell_opens_its_histogram();
  void window_follows_the_scale();
  void table_says_the_same();
  void report_is_told();
  void tools_are_never_cut();
  void a_small_window_shows_ten_layers();
  void screenshots();
};

}  // namespace mantissa::gui
