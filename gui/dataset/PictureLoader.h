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

/// Pictures as training decodes them, shrunk, read on a thread of their own. What is asked for last
/// is read first; when more is asked for than a screen holds, the oldest wishes are dropped. The
/// cache is bounded by bytes.
class PictureLoader : public QObject {
  Q_OBJECT

 public:
  static constexpr int kCacheMegabytes = 96;
  static constexpr int kMaxWaiting = 256;

  explicit PictureLoader(QObject* parent = nullptr);
  ~PictureLoader() override;

  /// The picture, no side longer than `side`; null while it is not there, and `loaded` follows. A
  /// null picture that `is_known` can't be read.
  QImage get(const QString& path, int side);
  bool is_known(const QString& path, int side) const;
  /// Forgets every wish and picture.
  void clear();
  int waiting() const;
  bool is_busy() const { return !asked_.isEmpty(); }

 signals:
  void loaded(const QString& path, int side);

 private:
  struct Wish {
    QString path;
    int side;
    quint64 age;  ///< of the clear that came before it
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
