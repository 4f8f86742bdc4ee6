#pragma once

#include <QObject>

namespace mantissa::gui {

class SeriesStoreTest : public QObject {
  Q_OBJECT

 private slots:
  void extent_matches_brute_force();
  void columns_hold_every_value();
  void buckets_do_not_move();
  void nearest_is_the_closer_neighbour();
  void rewinds();
  void smoothing_matches_the_formula();
  void smoothing_follows_a_rewind();
};

}  // namespace mantissa::gui
