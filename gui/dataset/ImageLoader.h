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

#include "engine/data/augmentation.h"
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
  static constexpr int kVersion = 0;  ///< in place of a side

  explicit ImageLoader(QObject* parent = nullptr);
  ~ImageLoader() override;

  /// The image, no side longer than `side`; null until `loaded`. A null image that `is_known` can't
  /// be read.
  QImage get(const QString& path, int side);
  /// A version of the image, cut and coloured as it is encoded; `loaded` tells kVersion as side.
  QImage get(const QString& path, const ImageVersion& version);
  bool is_known(const QString& path, const ImageVersion& version) const;
  bool is_known(const QString& path, int side) const;
  /// Reads a file again that was changed.
  void forget(const QString& path);
  /// Drops every request and image.
  void clear();
  int waiting() const;
  bool is_busy() const { return !asked_.isEmpty(); }

 signals:
  void loaded(const QString& path, int side);

 private:
  struct Wish {
    QString key;
    QString path;
    int side;
    ImageVersion version;  ///< if the side is kVersion
    quint64 age = 0;       ///< number of the preceding clear
  };
  QImage find_or_ask(Wish wish);
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
