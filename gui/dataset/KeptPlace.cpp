#include "gui/dataset/KeptPlace.h"

#include <QItemSelection>
#include <QListView>
#include <algorithm>
#include <utility>

#include "gui/dataset/DatasetFilter.h"

namespace mantissa::gui {
namespace {

int row_of(int item, const DatasetFilter& filter) {
  return filter.mapFromSource(filter.sourceModel()->index(item, 0)).row();
}

/// The row of an image, or if it is hidden of the one after it.
int row_at(int item, const DatasetFilter& filter) {
  const int row = row_of(item, filter);
  const QVector<int>& shown = filter.items();
  if (row >= 0 || shown.isEmpty()) {
    return row;
  }
  const auto after = std::find_if(shown.begin(), shown.end(), [&](int i) { return i >= item; });
  return std::min(static_cast<int>(after - shown.begin()), static_cast<int>(shown.size()) - 1);
}

}  // namespace

void KeptPlace::keep(const QListView* list, const DatasetFilter& filter) {
  const auto item_of = [&](const QModelIndex& index) { return filter.mapToSource(index).row(); };
  const QPoint within(list->spacing() + 1, list->spacing() + 1);
  Place& place = place_.emplace();
  for (const QModelIndex& index : list->selectionModel()->selectedIndexes()) {
    place.selected << item_of(index);
  }
  std::sort(place.selected.begin(), place.selected.end());
  place.current = item_of(list->currentIndex());
  place.first = item_of(list->indexAt(list->viewport()->rect().topLeft() + within));
}

bool KeptPlace::restore(QListView* list, const DatasetFilter& filter) {
  if (!place_) {
    return false;
  }
  const Place place = *std::exchange(place_, std::nullopt);
  QItemSelection chosen;
  for (const int item : place.selected) {
    const int row = row_of(item, filter);
    const bool next = row >= 0 && !chosen.isEmpty() && chosen.last().bottom() == row - 1;
    if (next) {
      chosen.last() = QItemSelectionRange(chosen.last().topLeft(), filter.index(row, 0));
    } else if (row >= 0) {
      chosen.append(QItemSelectionRange(filter.index(row, 0)));
    }
  }
  auto* selection = list->selectionModel();
  selection->setCurrentIndex(filter.index(row_at(place.current, filter), 0),
                             QItemSelectionModel::NoUpdate);
  selection->select(chosen, QItemSelectionModel::ClearAndSelect);
  if (const int first = row_of(place.first, filter); first >= 0) {
    list->scrollTo(filter.index(first, 0), QAbstractItemView::PositionAtTop);
  }
  return true;
}

}  // namespace mantissa::gui
