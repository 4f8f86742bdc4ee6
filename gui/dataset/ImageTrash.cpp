#include "gui/dataset/ImageTrash.h"

#include <QFile>
#include <QFileInfo>
#include <QSet>
#include <algorithm>
#include <utility>

#include "engine/preflight/dataset_check.h"
#include "gui/base/Text.h"

namespace mantissa::gui {
namespace {

constexpr qsizetype kNamedImages = 5;

/// The image without its extension, which names its caption and mask too.
QString stem_of(const ImageItem& item) {
  return path_text(item.path.parent_path() / item.path.stem());
}

}  // namespace

ImageTrash::ImageTrash(QObject* parent)
    : QObject(parent), move_file_([](const QString& file) {
        QString place;
        return QFile::moveToTrash(file, &place) ? std::optional(place) : std::nullopt;
      }) {}

bool ImageTrash::move_file(const QString& file) {
  const std::optional<QString> place = move_file_(file);
  if (place) {
    last_.push_back({file, *place});
  }
  return place.has_value();
}

bool ImageTrash::can_restore() const {
  return !last_.empty() &&
         std::ranges::none_of(last_, [](const Moved& file) { return file.to.isEmpty(); });
}

void ImageTrash::restore() {
  for (const Moved& file : std::exchange(last_, {})) {
    if (!QFile::rename(file.to, file.from)) {
      emit problem(tr("%1 can't be brought back; it is still in the trash.").arg(shown(file.from)));
    }
  }
}

void ImageTrash::ask(QWidget* over, const std::vector<const ImageItem*>& items,
                     const std::function<void(const QStringList& paths)>& allowed) {
  QStringList paths, names;
  for (const ImageItem* item : items) {
    paths << path_text(item->path);
    names << shown(to_qstring(item->name));
  }
  if (paths.isEmpty() || !ask_) {
    return;
  }
  QString text = tr("Move %n image(s) to the trash, with captions and masks?", nullptr,
                    static_cast<int>(paths.size()));
  text += QLatin1Char('\n') + names.mid(0, kNamedImages).join(QLatin1Char('\n'));
  if (names.size() > kNamedImages) {
    text += QLatin1Char('\n') +
            tr("And %n more.", nullptr, static_cast<int>(names.size() - kNamedImages));
  }
  ask_(over, text, [allowed, paths] { allowed(paths); });
}

bool ImageTrash::move_image(const ImageItem& item, bool shared) {
  if (!move_file(path_text(item.path))) {
    emit problem(tr("%1 can't be moved to the trash; it was left where it is.")
                     .arg(shown(path_text(item.path))));
    return false;
  }
  if (shared) {
    return true;  // another image of this name keeps its caption and mask
  }
  QStringList others;
  for (const char* extension : {".txt", ".TXT", ".caption"}) {
    others << stem_of(item) + QLatin1String(extension);
  }
  if (const QString own = path_text(item.caption_file);
      !item.caption_file.empty() && !others.contains(own)) {
    others << own;  // its name may be another Unicode form of the image's
  }
  others << path_text(item.mask);
  for (const QString& file : others) {
    if (QFileInfo(file).isFile() && !move_file(file)) {
      emit problem(tr("%1 can't be moved to the trash; its image was.").arg(shown(file)));
    }
  }
  return true;
}

bool ImageTrash::move_files(const QStringList& files) {
  last_.clear();
  return std::ranges::all_of(files, [this](const QString& file) {
    const bool moved = move_file(file);
    if (!moved) {
      emit problem(tr("%1 can't be moved to the trash; it was left where it is.").arg(shown(file)));
    }
    return moved;
  });
}

std::vector<std::size_t> ImageTrash::move(const DatasetCheck& check, const QStringList& paths) {
  last_.clear();
  const QSet<QString> wanted(paths.begin(), paths.end());
  QSet<QString> stems;  // of the images that stay
  std::vector<std::size_t> leaving;
  for (std::size_t i = 0; i < check.data.items.size(); ++i) {
    const ImageItem& item = check.data.items[i];
    if (wanted.contains(path_text(item.path))) {
      leaving.push_back(i);
    } else {
      stems.insert(stem_of(item));
    }
  }
  for (const ImageItem& item : check.validation) {
    stems.insert(stem_of(item));
  }
  std::erase_if(leaving, [&](std::size_t i) {
    return !move_image(check.data.items[i], stems.contains(stem_of(check.data.items[i])));
  });
  return leaving;
}

}  // namespace mantissa::gui
