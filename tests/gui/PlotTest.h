#pragma once

#include <QObject>

namespace mantissa::gui {

class PlotTest : public QObject {
  Q_OBJECT

 private slots:
  void init();
  void draws_a_lone_point();
  void marks_and_skips_nan();
  void outliers_leave_the_view_but_not_the_plot();
  void spike_survives_a_million_points();
  void log_axis_keeps_zero_below();
  void zoom_pan_and_reset();
  void zoom_and_pan_are_exact();
  void crosshair_is_shared();
  void writes_csv_and_png();
  void writes_svg();
  void time_axis_follows_the_clock();
  void clocks_of_several_runs();
  void ticks_are_round();
  void time_ticks_are_round();
  void grid_meets_its_labels();
  void raster_keeps_area();
  void markers_of_one_step_are_all_in_reach();
  void title_and_markers_are_explained();
  void a_moved_view_is_drawn_as_by_a_fresh_plot();
};

}  // namespace mantissa::gui
