#include "gui/dataset/DatasetFilter.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "gui/dataset/DatasetModel.h"
#include "gui/dataset/Tags.h"

namespace mantissa::gui {

DatasetFilter::DatasetFilter(DatasetModel* model, QObject* parent)
    : QAbstractProxyModel(parent), model_(model) {
  setSourceModel(model);
  next_turn_.setSingleShot(true);
  next_turn_.setInterval(0);
  connect(&next_turn_, &QTimer::timeout, this, &DatasetFilter::filter_slice);
  connect(model, &QAbstractItemModel::modelAboutToBeReset, this, [this] { beginResetModel(); });
  connect(model, &QAbstractItemModel::modelReset, this, [this] {
    next_turn_.stop();
    next_ = 0;
    found_.clear();
    const bool whole = filter_rest(kSlice);
    set_shown(whole ? std::exchange(found_, {}) : QVector<int>());
    endResetModel();
    if (!whole) {
      next_turn_.start();
    }
  });
  // An image must not vanish while its caption is being typed: changes don't filter again.
  connect(model, &QAbstractItemModel::dataChanged, this,
          [this](const QModelIndex& first, const QModelIndex& last, const QVector<int>& roles) {
            const bool one = first.row() == last.row();
            const int from = one ? row_of_.value(first.row(), -1) : 0;
            const int to = one ? from : rowCount() - 1;
            if (from >= 0 && to >= from) {
              emit dataChanged(index(from, 0), index(to, 0), roles);
            }
          });
}

void DatasetFilter::set_text(const QString& text) {
  words_ = text.split(QLatin1Char(' '), Qt::SkipEmptyParts);
  restart();
}

void DatasetFilter::set_tag(const QString& tag) {
  tag_ = tag;
  restart();
}

void DatasetFilter::set_bucket(int bucket) {
  bucket_ = bucket;
  restart();
}

void DatasetFilter::set_grouped(bool grouped) {
  grouped_ = grouped;
  restart();
  if (grouped) {
    finish();  // most images are in no group, which is told at once
  }
}

void DatasetFilter::set_outstanding(bool outstanding) {
  outstanding_ = outstanding;
  restart();
  if (outstanding) {
    finish();
  }
}

void DatasetFilter::set_pick(Pick pick) {
  if (pick || pick_) {
    pick_ = std::move(pick);
    restart();
  }
}

void DatasetFilter::finish() {
  if (is_filtering()) {
    next_turn_.stop();
    filter_rest(model_->rowCount());
    show_found();
  }
}

void DatasetFilter::restart() {
  next_turn_.stop();
  next_ = 0;
  found_.clear();
  filter_slice();
}

void DatasetFilter::filter_slice() {
  if (filter_rest(next_ + kSlice)) {
    show_found();
  } else {
    next_turn_.start();
  }
}

/// Filters the items before `end`, or all where each is taken; true after the last one.
bool DatasetFilter::filter_rest(int end) {
  const int all = model_->rowCount();
  if (takes_all()) {
    found_.resize(all);
    std::iota(found_.begin(), found_.end(), 0);
    next_ = all;
  }
  for (end = std::min(end, all); next_ < end; ++next_) {
    if (accepts(next_)) {
      found_.append(next_);
    }
  }
  if (next_ < all) {
    return false;
  }
  if (grouped_) {
    std::sort(found_.begin(), found_.end(),
              [this](int a, int b) { return model_->group_place(a) < model_->group_place(b); });
  }
  return true;
}

void DatasetFilter::show_found() {
  QVector<int> items = std::exchange(found_, {});
  if (items != shown_) {
    emit about_to_show();
    beginResetModel();
    set_shown(std::move(items));
    endResetModel();
  }
  emit filtered();
}

void DatasetFilter::set_shown(QVector<int> items) {
  shown_ = std::move(items);
  row_of_.fill(-1, model_->rowCount());
  for (int row = 0; row < static_cast<int>(shown_.size()); ++row) {
    row_of_[shown_[row]] = row;
  }
}

bool DatasetFilter::takes_all() const {
  return !grouped_ && !outstanding_ && !pick_ && bucket_ < 0 && tag_.isEmpty() && words_.isEmpty();
}

bool DatasetFilter::accepts(int item) const {
  if (grouped_ && model_->group_place(item).group < 0) {
    return false;
  }
  if (outstanding_ && !model_->stands_out(item)) {
    return false;
  }
  if (pick_ && !pick_(item)) {
    return false;
  }
  if (bucket_ >= 0 &&
      !model_->check().is_in(static_cast<std::size_t>(item), static_cast<std::size_t>(bucket_))) {
    return false;
  }
  if (tag_.isEmpty() && words_.isEmpty()) {
    return true;
  }
  const QString caption = model_->caption(item);
  if (!tag_.isEmpty() && !split_tags(caption).contains(tag_, Qt::CaseInsensitive)) {
    return false;
  }
  const QString& name = model_->name(item);
  return std::all_of(words_.begin(), words_.end(), [&](const QString& word) {
    return name.contains(word, Qt::CaseInsensitive) || caption.contains(word, Qt::CaseInsensitive);
  });
}

QModelIndex DatasetFilter::index(int row, int column, const QModelIndex& parent) const {
  return hasIndex(row, column, parent) ? createIndex(row, column) : QModelIndex();
}

QModelIndex DatasetFilter::parent(const QModelIndex& /*child*/) const {
  return {};
}

int DatasetFilter::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(shown_.size());
}

int DatasetFilter::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : 1;
}

QModelIndex DatasetFilter::mapToSource(const QModelIndex& index) const {
  return index.isValid() && index.row() < rowCount() ? model_->index(shown_[index.row()])
                                                     : QModelIndex();
}

QModelIndex DatasetFilter::mapFromSource(const QModelIndex& index) const {
  return index.isValid() ? this->index(row_of_.value(index.row(), -1), 0) : QModelIndex();
}

}  // namespace mantissa::gui
