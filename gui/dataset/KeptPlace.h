#pragma once

#include <QVector>
#include <optional>

class QListView;

namespace mantissa::gui {

class DatasetFilter;

/// The place in the list of images while the filter changes what is shown: the selection, the
/// current image and the first in sight stay.
class KeptPlace {
 public:
  void keep(const QListView* list, const DatasetFilter& filter);
  /// False if none was kept.
  bool restore(QListView* list, const DatasetFilter& filter);

 private:
  /// Items, not rows.
  struct Place {
    QVector<int> selected;
    int current = -1, first = -1;
  };
  std::optional<Place> place_;
};

}  // namespace mantissa::gui
