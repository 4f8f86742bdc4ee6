#include "gui/dataset/DatasetModel.h"

#include <algorithm>
#include <utility>

#include "engine/io/composed_name.h"
#include "engine/io/file.h"
#include "gui/base/EngineText.h"
#include "gui/base/Text.h"

namespace mantissa::gui {

DatasetModel::DatasetModel(CaptionBook* book, ImageLoader* loader, QObject* parent)
    : QAbstractListModel(parent), book_(book), loader_(loader) {
  connect(loader_, &ImageLoader::loaded, this, [this](const QString& path, int side) {
    const auto row = asked_.constFind(path);
    if (side == 2 * thumb_ && row != asked_.constEnd()) {
      emit dataChanged(index(*row), index(*row), {Qt::DecorationRole});
    }
  });
  connect(book_, &CaptionBook::changed, this, [this](const QVector<int>& items) {
    for (const int item : items) {
      emit dataChanged(index(item), index(item), {kCaptionRole, Qt::ToolTipRole});
    }
  });
}

void DatasetModel::set_check(DatasetCheck check, QStringList names) {
  beginResetModel();
  check_ = std::move(check);
  names_ = std::move(names);
  groups_.clear();
  places_.clear();
  run_images_.clear();
  asked_.clear();
  endResetModel();
  emit sorted();
}

void DatasetModel::sort_again(const Preset& preset, int quantum) {
  sort_into_buckets(check_, preset, quantum);
  emit sorted();
}

void DatasetModel::set_thumb(int side) {
  thumb_ = side;
  asked_.clear();
  if (rowCount() > 0) {
    emit dataChanged(index(0), index(rowCount() - 1), {Qt::DecorationRole, Qt::SizeHintRole});
  }
}

const ImageItem* DatasetModel::at(int item) const {
  return item >= 0 && item < rowCount() ? &check_.data.items[static_cast<std::size_t>(item)]
                                        : nullptr;
}

int DatasetModel::item_of(const std::filesystem::path& image) const {
  const auto found = std::ranges::find(check_.data.items, image, &ImageItem::path);
  return found == check_.data.items.end() ? -1
                                          : static_cast<int>(found - check_.data.items.begin());
}

std::filesystem::path DatasetModel::set_mask(const std::filesystem::path& image,
                                             const std::filesystem::path& mask) {
  std::filesystem::path before;
  const auto stem = [](const std::filesystem::path& path) {
    return composed_path(path.parent_path() / path.stem());
  };
  const std::string wanted = stem(image);
  for (int row = 0; row < rowCount(); ++row) {
    ImageItem& item = check_.data.items[static_cast<std::size_t>(row)];
    if (item.path.parent_path() != image.parent_path() || stem(item.path) != wanted) {
      continue;
    }
    before = std::exchange(item.mask, mask);
    item.mask_hash = mask.empty() ? std::string() : sha256_file(mask);
    item.mask_stamp = mask.empty() ? FileStamp{} : file_stamp(mask);
    emit dataChanged(index(row), index(row), {kMaskRole, Qt::ToolTipRole});
  }
  return before;
}

void DatasetModel::set_groups(std::vector<DuplicateGroup> groups) {
  groups_ = std::move(groups);
  places_.assign(groups_.empty() ? 0 : check_.data.items.size(), {});
  for (int g = 0; g < static_cast<int>(groups_.size()); ++g) {
    const DuplicateGroup& group = groups_[static_cast<std::size_t>(g)];
    places_[group.original] = {g, 0};
    int place = 0;
    for (const Duplicate& copy : group.duplicates) {
      places_[copy.item] = {g, ++place};
    }
  }
  if (rowCount() > 0) {
    emit dataChanged(index(0), index(rowCount() - 1), {kGroupRole, Qt::ToolTipRole});
  }
}

DatasetModel::GroupPlace DatasetModel::group_place(int item) const {
  return places_.empty() ? GroupPlace{} : places_[static_cast<std::size_t>(item)];
}

void DatasetModel::set_run_images(const RunImages& found) {
  run_ = found.run;
  run_images_.clear();
  for (const ImageInfluence& image : found.images) {
    for (int item = 0; item < rowCount(); ++item) {
      if (check_.data.items[static_cast<std::size_t>(item)].name == image.name) {
        run_images_.insert(item, image);
      }
    }
  }
  if (rowCount() > 0) {
    emit dataChanged(index(0), index(rowCount() - 1), {kRunRole, Qt::ToolTipRole});
  }
}

QString DatasetModel::run_text(int item) const {
  const auto found = run_images_.constFind(item);
  return found == run_images_.constEnd()
             ? QString()
             : tr("In the run %1: %2").arg(run_, shown(message_text(found->text())));
}

QString DatasetModel::run_note(int item) const {
  const auto found = run_images_.constFind(item);
  if (found == run_images_.constEnd()) {
    return {};
  }
  return found->misfit          ? tr("Caption may not fit")
         : found->never_learned ? tr("Never learned")
                                : tr("Unlike the others");
}

QString DatasetModel::group_note(int item) const {
  const auto [number, place] = group_place(item);
  if (number < 0) {
    return {};
  }
  const DuplicateGroup& group = groups_[static_cast<std::size_t>(number)];
  QString what = tr("%1: the one to keep");
  if (place > 0) {
    switch (group.duplicates[static_cast<std::size_t>(place - 1)].kind) {
      case DuplicateKind::exact:
        what = tr("%1: same file");
        break;
      case DuplicateKind::similar:
        what = tr("%1: similar");
        break;
      case DuplicateKind::mirrored:
        what = tr("%1: mirrored");
        break;
    }
  }
  const ImageItem& image = check_.data.items[static_cast<std::size_t>(item)];
  return what.arg(number + 1) + QStringLiteral("\n%1 × %2").arg(image.width).arg(image.height);
}

QString DatasetModel::group_text(int item) const {
  const auto [number, place] = group_place(item);
  if (number < 0) {
    return {};
  }
  const DuplicateGroup& group = groups_[static_cast<std::size_t>(number)];
  if (place == 0) {
    return tr(
        "The one to keep of a group: the largest, captioned, lossless; %n image(s) are copies "
        "of it.",
        nullptr, static_cast<int>(group.duplicates.size()));
  }
  const DuplicateKind kind = group.duplicates[static_cast<std::size_t>(place - 1)].kind;
  const ImageItem& original = check_.data.items[group.original];
  const ImageItem& image = check_.data.items[static_cast<std::size_t>(item)];
  const QString name = shown(to_qstring(original.name));
  if (kind == DuplicateKind::exact) {
    return tr("The same file as %1.").arg(name);
  }
  const bool mirrored = kind == DuplicateKind::mirrored;
  if (image.width == original.width && image.height == original.height) {
    return (mirrored ? tr("A mirrored copy of %1, of the same size.")
                     : tr("Similar to %1, of the same size."))
        .arg(name);
  }
  return (mirrored ? tr("A mirrored copy of %1; that has %2 pixels, this one %3.")
                   : tr("Similar to %1; that has %2 pixels, this one %3."))
      .arg(name, QStringLiteral("%1 × %2").arg(original.width).arg(original.height),
           QStringLiteral("%1 × %2").arg(image.width).arg(image.height));
}

Placement DatasetModel::placement(int item) const {
  const ImageItem& image = check_.data.items[static_cast<std::size_t>(item)];
  const std::size_t bucket = check_.bucket_of_item[static_cast<std::size_t>(item)];
  return place_image(check_.buckets[bucket], image.width, image.height);
}

std::vector<ImageVersion> DatasetModel::references(int item, const ImageVersion& version) const {
  const ImageItem& image = check_.data.items[static_cast<std::size_t>(item)];
  std::vector<ImageVersion> versions;
  for (const ReferenceImage& reference : image.references) {
    versions.push_back(reference_version(check_.references, reference, image, version));
  }
  return versions;
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
      return name(index.row());
    case Qt::AccessibleTextRole:
      return shown(QStringLiteral("%1: %2").arg(to_qstring(item->name),
                                                book_->caption(index.row()))) +
             (places_.empty() ? QString() : QLatin1Char(' ') + group_text(index.row())) +
             (stands_out(index.row()) ? QLatin1Char(' ') + run_text(index.row()) : QString()) +
             (item->mask.empty() ? QString() : QLatin1Char(' ') + tr("Has a mask."));
    case Qt::ToolTipRole: {
      const QString caption = shown(book_->caption(index.row()));
      const QString stand_in = shown(book_->stand_in(index.row()));
      const QString none =
          stand_in.isEmpty() ? tr("No caption")
                             : tr("No caption: trained with the folder's name, “%1”").arg(stand_in);
      QString text = QStringLiteral("%1\n%2").arg(shown(to_qstring(item->name)),
                                                  caption.isEmpty() ? none : caption);
      const QString mask = item->mask.empty() ? QString() : tr("Has a mask.");
      for (const QString& more : {mask, group_text(index.row()), run_text(index.row())}) {
        text += more.isEmpty() ? more : QLatin1Char('\n') + more;
      }
      return text.toHtmlEscaped().replace(QLatin1Char('\n'), QLatin1String("<br>"));
    }
    case Qt::DecorationRole: {
      const QString path = path_text(item->path);
      asked_.insert(path, index.row());
      return loader_->get(path, 2 * thumb_);
    }
    case kPathRole:
      return path_text(item->path);
    case kCaptionRole:
      return book_->caption(index.row());
    case kGroupRole:
      return group_note(index.row());
    case kMaskRole:
      return !item->mask.empty();
    case kRunRole:
      return run_note(index.row());
    case kReadRole:
      return !loader_->is_known(path_text(item->path), 2 * thumb_) ||
             !loader_->get(path_text(item->path), 2 * thumb_).isNull();
    default:
      return {};
  }
}

}  // namespace mantissa::gui
