#pragma once

#include <QVector>
#include <mutex>
#include <utility>

namespace mantissa::gui {

/// A queue of infrequent items from the engine's thread to the window. Queued items weigh at most
/// `capacity` in total; items arriving while it is full are counted and dropped, which bounds
/// memory while the window is blocked. A single item may have any weight.
template <typename T>
class Mailbox {
 public:
  explicit Mailbox(qsizetype capacity) : capacity_(capacity) {}

  /// True if it was empty: the sender then posts one event that takes everything.
  bool put(T item, qsizetype weight = 1) {
    const std::lock_guard lock(mutex_);
    const bool first = items_.isEmpty();
    if (first || weight <= capacity_ - weight_) {
      weight_ += weight;
      items_.push_back(std::move(item));
    } else {
      ++lost_;
    }
    return first;
  }

  /// All items, in order, and how many were dropped since the last call.
  std::pair<QVector<T>, qint64> take() {
    const std::lock_guard lock(mutex_);
    weight_ = 0;
    return {std::exchange(items_, {}), std::exchange(lost_, 0)};
  }

 private:
  const qsizetype capacity_;
  std::mutex mutex_;
  QVector<T> items_;
  qsizetype weight_ = 0;
  qint64 lost_ = 0;
};

}  // namespace mantissa::gui
