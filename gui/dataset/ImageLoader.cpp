#include "gui/dataset/ImageLoader.h"

#include <algorithm>

#include "engine/core/error.h"
#include "gui/base/Text.h"

namespace mantissa::gui {
namespace {

QString key_of(const QString& path, int side) {
  return QString::number(side) + QLatin1Char(':') + path;
}

QImage read(const QString& path, int side) {
  try {
    const Image image = load_image(to_path(path));
    const QImage whole(image.pixels.data(), image.width, image.height, 3 * image.width,
                       QImage::Format_RGB888);
    if (std::max(image.width, image.height) <= side) {
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

QImage ImageLoader::get(const QString& path, int side) {
  const QString key = key_of(path, side);
  if (const QImage* known = cache_.object(key)) {
    return *known;
  }
  if (!asked_.contains(key)) {
    asked_.insert(key);
    {
      const QMutexLocker lock(&mutex_);
      wishes_.push_back({path, side, age_});
      if (wishes_.size() > kMaxWaiting) {
        asked_.remove(key_of(wishes_.front().path, wishes_.front().side));
        wishes_.erase(wishes_.begin());
      }
    }
    pool_.start([this] { work(); });
  }
  return {};
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
    image = read(wish.path, wish.side);
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
  const QString key = key_of(wish.path, wish.side);
  asked_.remove(key);
  cache_.insert(key, new QImage(image), static_cast<int>(image.sizeInBytes() / 1024 + 1));
  emit loaded(wish.path, wish.side);
}

}  // namespace mantissa::gui
