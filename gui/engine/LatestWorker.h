#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>
#include <utility>

namespace mantissa::gui {

/// A thread that works on the latest question only: a new one replaces a waiting one.
template <typename Question>
class LatestWorker {
 public:
  using Work = std::function<void(const Question& question, std::uint64_t generation)>;

  explicit LatestWorker(Work work)
      : work_(std::move(work)), thread_([this](const std::stop_token& stop) { loop(stop); }) {}
  ~LatestWorker() {
    thread_.request_stop();
    changed_.notify_all();
  }
  void put(const Question& question, std::uint64_t generation) {
    {
      const std::lock_guard lock(mutex_);
      waiting_.emplace(question, generation);
    }
    changed_.notify_all();
  }

 private:
  void loop(const std::stop_token& stop) {
    while (!stop.stop_requested()) {
      std::optional<std::pair<Question, std::uint64_t>> next;
      {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, stop, [this] { return waiting_.has_value(); });
        next.swap(waiting_);
      }
      if (next && !stop.stop_requested()) {
        work_(next->first, next->second);
      }
    }
  }

  Work work_;
  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::optional<std::pair<Question, std::uint64_t>> waiting_;
  std::jthread thread_;  // last: joined before what it uses is destroyed
};

}  // namespace mantissa::gui
