#pragma once

#include <QVector>
#include <mutex>
#include <utility>

namespace mantissa::gui {

/// Rare things on their way from the engine's thread to the window. What waits weighs at most
/// `capacity` together; what comes while it is full is counted, not kept, so a window that stands
/// still costs no more memory than that. One thing alone may weigh anything.
template <typename T>
class Mailbox {
 public:
  explicit Mailbox(qsizetype capacity) : capacity_(capacity) {}

  /// True when it was empty: the sender then posts one event that will take everything.
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

  /// Everything there is, in order, and how many more did not fit since the last call.
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
