#include "gui/dataset/ImageLoader.h"

#include <algorithm>

#include "engine/core/error.h"
#include "engine/data/cache.h"
#include "engine/data/image_cut.h"
#include "gui/base/Text.h"

namespace mantissa::gui {
namespace {

QString key_of(const QString& path, int side) {
  return QString::number(side) + QLatin1Char(':') + path;
}

/// What makes a version, as for the cache.
QString key_of(const QString& path, const ImageVersion& version) {
  const LatentKey key{path.toStdString(), version.placement, false, {}, version.color};
  return to_qstring(cache_key(key)) + QLatin1Char(':') + path;
}

QImage read(const QString& path, int side, const ImageVersion& version) {
  try {
    const bool cut = side == ImageLoader::kVersion;
    const Image image = cut ? cut_image(to_path(path), version) : load_image(to_path(path));
    const QImage whole(image.pixels.data(), image.width, image.height, 3 * image.width,
                       QImage::Format_RGB888);
    if (cut || std::max(image.width, image.height) <= side) {
      return whole.convertToFormat(QImage::Format_RGB32);
    }
    return whole.scaled(side, side, Qt::KeepAspectRatio, Qt::SmoothTransformation)
        .convertToFormat(QImage::Format_RGB32);
  } catch (const std::exception&) {
    return {};  // the scan reports its problem
  }
}

}  // namespace

ImageLoader::ImageLoader(QObject* parent) : QObject(parent), cache_(kCacheMegabytes * 1024) {
  pool_.setMaxThreadCount(1);
}

ImageLoader::~ImageLoader() {
  {
    const QMutexLocker lock(&mutex_);
    wishes_.clear();
  }
  pool_.clear();
  pool_.waitForDone();
}

bool ImageLoader::is_known(const QString& path, int side) const {
  return cache_.contains(key_of(path, side));
}

int ImageLoader::waiting() const {
  const QMutexLocker lock(&mutex_);
  return static_cast<int>(wishes_.size());
}

bool ImageLoader::is_known(const QString& path, const ImageVersion& version) const {
  return cache_.contains(key_of(path, version));
}

QImage ImageLoader::get(const QString& path, int side) {
  return find_or_ask({key_of(path, side), path, side, {}});
}

QImage ImageLoader::get(const QString& path, const ImageVersion& version) {
  return find_or_ask({key_of(path, version), path, kVersion, version});
}

QImage ImageLoader::find_or_ask(Wish wish) {
  if (const QImage* known = cache_.object(wish.key)) {
    return *known;
  }
  if (!asked_.contains(wish.key)) {
    asked_.insert(wish.key);
    {
      const QMutexLocker lock(&mutex_);
      wish.age = age_;
      wishes_.push_back(std::move(wish));
      if (wishes_.size() > kMaxWaiting) {
        asked_.remove(wishes_.front().key);
        wishes_.erase(wishes_.begin());
      }
    }
    pool_.start([this] { work(); });
  }
  return {};
}

void ImageLoader::forget(const QString& path) {
  for (const QString& key : cache_.keys()) {
    if (key.endsWith(QLatin1Char(':') + path)) {
      cache_.remove(key);
    }
  }
}

void ImageLoader::clear() {
  {
    const QMutexLocker lock(&mutex_);
    wishes_.clear();
    ++age_;
  }
  asked_.clear();
  cache_.clear();
}

void ImageLoader::work() {
  Wish wish;
  {
    const QMutexLocker lock(&mutex_);
    if (wishes_.empty()) {
      return;
    }
    wish = wishes_.back();
    wishes_.pop_back();
  }
  QImage image;
  try {
    if (!library_) {
      library_ = std::make_unique<ImageLibrary>();
    }
    image = read(wish.path, wish.side, wish.version);
  } catch (const std::exception&) {
    // Shown as one that can't be read; the scan reports its problem.
  }
  QMetaObject::invokeMethod(
      this, [this, wish, image] { take(wish, image); }, Qt::QueuedConnection);
}

void ImageLoader::take(const Wish& wish, const QImage& image) {
  if (wish.age != age_) {
    return;  // of a previous data set
  }
  asked_.remove(wish.key);
  cache_.insert(wish.key, new QImage(image), static_cast<int>(image.sizeInBytes() / 1024 + 1));
  emit loaded(wish.path, wish.side);
}

}  // namespace mantissa::gui
