#include "gui/dataset/DatasetModel.h"

#include <algorithm>

#include "gui/base/Text.h"
#include "gui/dataset/Tags.h"

namespace mantissa::gui {

DatasetModel::DatasetModel(CaptionBook* book, ImageLoader* loader, QObject* parent)
    : QAbstractListModel(parent), book_(book), loader_(loader) {
  connect(loader_, &ImageLoader::loaded, this, [this](const QString& path, int side) {
    if (side != 2 * kThumb) {
      return;
    }
    for (int i = 0; i < rowCount(); ++i) {
      if (path_text(check_.data.items[static_cast<std::size_t>(i)].path) == path) {
        emit dataChanged(index(i), index(i), {Qt::DecorationRole});
        return;
      }
    }
  });
  connect(book_, &CaptionBook::changed, this, [this](const QVector<int>& items) {
    for (const int item : items) {
      emit dataChanged(index(item), index(item), {kCaptionRole, Qt::ToolTipRole});
    }
  });
}

void DatasetModel::set_check(DatasetCheck check) {
  beginResetModel();
  check_ = std::move(check);
  endResetModel();
  emit sorted();
}

void DatasetModel::sort_again(const Preset& preset, int quantum) {
  sort_into_buckets(check_, preset, quantum);
  emit sorted();
}

const ImageItem* DatasetModel::at(int item) const {
  return item >= 0 && item < rowCount() ? &check_.data.items[static_cast<std::size_t>(item)]
                                        : nullptr;
}

Placement DatasetModel::placement(int item) const {
  const ImageItem& image = check_.data.items[static_cast<std::size_t>(item)];
  const std::size_t bucket = check_.bucket_of_item[static_cast<std::size_t>(item)];
  return place_image(check_.buckets[bucket], image.width, image.height);
}

ImageVersion DatasetModel::version(int item, const Preset& preset, int variant) const {
  const std::size_t bucket = check_.bucket_of_item[static_cast<std::size_t>(item)];
  return image_version(preset, check_.buckets[bucket],
                       check_.data.items[static_cast<std::size_t>(item)], variant);
}

int DatasetModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(check_.data.items.size());
}

QVariant DatasetModel::data(const QModelIndex& index, int role) const {
  const ImageItem* item = at(index.row());
  if (item == nullptr) {
    return {};
  }
  switch (role) {
    case Qt::DisplayRole:
      return shown(to_qstring(item->name));
    case Qt::AccessibleTextRole:
      return shown(
          QStringLiteral("%1: %2").arg(to_qstring(item->name), book_->caption(index.row())));
    case Qt::ToolTipRole: {
      const QString caption = shown(book_->caption(index.row()));
      const QString stand_in = shown(book_->stand_in(index.row()));
      const QString none =
          stand_in.isEmpty() ? tr("no caption")
                             : tr("no caption: trained with the folder's name, “%1”").arg(stand_in);
      return QStringLiteral("%1\n%2")
          .arg(shown(to_qstring(item->name)), caption.isEmpty() ? none : caption)
          .toHtmlEscaped()
          .replace(QLatin1Char('\n'), QLatin1String("<br>"));
    }
    case Qt::DecorationRole:
      return loader_->get(path_text(item->path), 2 * kThumb);
    case kPathRole:
      return path_text(item->path);
    case kCaptionRole:
      return book_->caption(index.row());
    case kReadRole:
      return !loader_->is_known(path_text(item->path), 2 * kThumb) ||
             !loader_->get(path_text(item->path), 2 * kThumb).isNull();
    default:
      return {};
  }
}

DatasetFilter::DatasetFilter(DatasetModel* model, QObject* parent)
    : QSortFilterProxyModel(parent), model_(model) {
  setSourceModel(model);
  setDynamicSortFilter(false);  // an image must not vanish while its caption is being typed
}

void DatasetFilter::set_text(const QString& text) {
  words_ = text.split(QLatin1Char(' '), Qt::SkipEmptyParts);
  invalidateFilter();
}

void DatasetFilter::set_tag(const QString& tag) {
  tag_ = tag;
  invalidateFilter();
}

void DatasetFilter::set_bucket(int bucket) {
  bucket_ = bucket;
  invalidateFilter();
}

bool DatasetFilter::filterAcceptsRow(int row, const QModelIndex&) const {
  const QModelIndex index = model_->index(row);
  if (bucket_ >= 0 && model_->check().bucket_of_item[static_cast<std::size_t>(row)] !=
                          static_cast<std::size_t>(bucket_)) {
    return false;
  }
  const QString caption = index.data(DatasetModel::kCaptionRole).toString();
  if (!tag_.isEmpty() && !split_tags(caption).contains(tag_, Qt::CaseInsensitive)) {
    return false;
  }
  const QString name = index.data().toString();
  return std::all_of(words_.begin(), words_.end(), [&](const QString& word) {
    return name.contains(word, Qt::CaseInsensitive) || caption.contains(word, Qt::CaseInsensitive);
  });
}

}  // namespace mantissa::gui
