#pragma once
// How long the window's thread stands still, and data of the size that it must bear.

#include <QCoreApplication>
#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QImage>
#include <QObject>
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <mutex>
#include <thread>
#include <vector>

namespace mantissa::gui {

constexpr int kPerFolder = 1000;

/// Images of 64 x 48, no two alike, each with a caption.
inline void make_images(const QString& folder, int count) {
  QImage image(64, 48, QImage::Format_RGB32);
  for (int i = 0; i < count; ++i) {
    const QString place =
        QStringLiteral("%1/%2").arg(folder).arg(i / kPerFolder, 3, 10, QLatin1Char('0'));
    const QString name = QStringLiteral("%1/%2").arg(place).arg(i, 6, 10, QLatin1Char('0'));
    if (QFile::exists(name + QStringLiteral(".txt"))) {
      continue;
    }
    QDir().mkpath(place);
    image.fill(QColor::fromHsv(i % 360, 120, 200));
    for (int bit = 0; bit < 20; ++bit) {
      image.setPixelColor(2 + 3 * bit, 4, (i >> bit & 1) != 0 ? Qt::white : Qt::black);
    }
    QFile caption(name + QStringLiteral(".txt"));
    if (!image.save(name + QStringLiteral(".png")) || !caption.open(QIODevice::WriteOnly)) {
      std::fprintf(stderr, "can't write %s\n", qPrintable(name));
      std::exit(1);
    }
    caption.write(QStringLiteral("a square, tone %1, number %2").arg(i % 360).arg(i).toUtf8());
  }
}

/// CPU time of this thread, ms: unlike the wall clock it doesn't count what other programs take.
inline double thread_ms() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

/// The time from posting an event to the window until it is handled, every few milliseconds: as
/// long as a click would wait.
class Latency {
 public:
  explicit Latency(QObject* window, std::chrono::milliseconds every = std::chrono::milliseconds(7))
      : thread_([this, window, every] {
          while (!stop_) {
            QElapsedTimer posted;
            posted.start();
            QMetaObject::invokeMethod(
                window,
                [this, posted] {
                  const std::lock_guard lock(mutex_);
                  waits_.push_back(static_cast<double>(posted.nsecsElapsed()) / 1e6);
                  const double worked = thread_ms();
                  busy_ = last_ > 0 ? std::max(busy_, worked - last_) : 0;
                  last_ = worked;
                },
                Qt::QueuedConnection);
            std::this_thread::sleep_for(every);
          }
        }) {}
  ~Latency() { end(); }
  std::vector<double> end() {
    stop_ = true;
    if (thread_.joinable()) {
      thread_.join();
    }
    QCoreApplication::processEvents();
    const std::lock_guard lock(mutex_);
    std::sort(waits_.begin(), waits_.end());
    return waits_;
  }
  /// The longest work of the window's thread between two of the events, ms of CPU time.
  double busy() {
    const std::lock_guard lock(mutex_);
    return busy_;
  }

 private:
  std::mutex mutex_;
  std::vector<double> waits_;
  double last_ = 0, busy_ = 0;
  std::atomic<bool> stop_{false};
  std::thread thread_;
};

inline double quantile(const std::vector<double>& sorted, double share) {
  return sorted.empty()
             ? 0
             : sorted[static_cast<std::size_t>(share * static_cast<double>(sorted.size() - 1))];
}

}  // namespace mantissa::gui
