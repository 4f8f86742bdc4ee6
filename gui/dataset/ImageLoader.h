#pragma once

#include <QCache>
#include <QImage>
#include <QMutex>
#include <QObject>
#include <QSet>
#include <QString>
#include <QThreadPool>
#include <memory>
#include <vector>

#include "engine/io/image.h"

namespace mantissa::gui {

/// Images as decoded for training, scaled down, read on a separate thread. The latest requests are
/// read first; when there are more than fit a screen, the oldest are dropped. The cache is bounded
/// by bytes.
class ImageLoader : public QObject {
  Q_OBJECT

 public:
  static constexpr int kCacheMegabytes = 96;
  static constexpr int kMaxWaiting = 256;

  explicit ImageLoader(QObject* parent = nullptr);
  ~ImageLoader() override;

  /// The image, no side longer than `side`; null until `loaded`. A null image that `is_known` can't
  /// be read.
  QImage get(const QString& path, int side);
  bool is_known(const QString& path, int side) const;
  /// Drops every request and image.
  void clear();
  int waiting() const;
  bool is_busy() const { return !asked_.isEmpty(); }

 signals:
  void loaded(const QString& path, int side);

 private:
  struct Wish {
    QString path;
    int side;
    quint64 age;  ///< number of the preceding clear
  };
  void work();
  void take(const Wish& wish, const QImage& image);

  QCache<QString, QImage> cache_;  ///< cost in kilobytes
  QSet<QString> asked_;
  mutable QMutex mutex_;
  std::vector<Wish> wishes_;  ///< under the mutex
  quint64 age_ = 0;
  std::unique_ptr<ImageLibrary> library_;  ///< of the reading thread
  QThreadPool pool_;
};

}  // namespace mantissa::gui
