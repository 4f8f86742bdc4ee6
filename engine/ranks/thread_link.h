#pragma once
// Ranks that are threads of one process, as the cards of one machine are.

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "engine/ranks/rank_link.h"

namespace mantissa {

/// The place where the threads of one run exchange bytes, from memory to memory. Any thread may use
/// it.
class ThreadMeeting {
 public:
  /// `names`: what users call each rank, such as "cuda:1".
  explicit ThreadMeeting(std::vector<std::string> names);

  int size() const { return static_cast<int>(names_.size()); }
  /// The link of a rank, for its thread; this must outlive it.
  std::unique_ptr<RankLink> link(int rank);
  /// Ends the others' waiting with an exception, now and from now on: a rank left without them.
  void close();

 private:
  friend class ThreadLink;
  using Parts = std::vector<std::span<std::byte>>;  ///< of each rank
  using Waiting = std::function<void()>;

  /// Shows `mine` to all, calls take(what each shows) when all do, and returns when all have taken.
  template <typename Take>
  void exchange(int rank, std::span<std::byte> mine, const Waiting& while_waiting,
                const Take& take);
  /// Returns when all have come.
  void meet(const Waiting& while_waiting);

  const std::vector<std::string> names_;
  Parts shown_;
  std::atomic<int> failing_{-1};  ///< the rank that has announced its failure
  std::mutex mutex_;
  std::condition_variable changed_;
  int waiting_ = 0, round_ = 0;
  bool closed_ = false;
};

}  // namespace mantissa
