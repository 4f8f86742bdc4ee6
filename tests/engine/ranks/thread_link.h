#pragma once
// Ranks that are threads of one process.

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <functional>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <vector>

#include "engine/ranks/ranks.h"

namespace mantissa::testing_support {

/// Where all of them put down what they send, and wait for one another.
class Table {
 public:
  explicit Table(int size) : size_(size), sent_(static_cast<std::size_t>(size)) {}
  int size() const { return size_; }

  /// Puts down `mine` and returns what all put down.
  std::vector<std::vector<std::byte>> exchange(int rank, std::span<const std::byte> mine,
                                               const std::function<void()>& while_waiting) {
    std::unique_lock lock(mutex_);
    sent_[static_cast<std::size_t>(rank)].assign(mine.begin(), mine.end());
    meet(lock, while_waiting);
    std::vector<std::vector<std::byte>> all = sent_;
    meet(lock, while_waiting);
    return all;
  }
  /// Makes all wait in vain from now on.
  void lose() {
    const std::lock_guard lock(mutex_);
    lost_ = true;
    arrived_.notify_all();
  }

  std::atomic<int> silent{-1};   ///< the rank that isn't heard any more
  std::atomic<int> failing{-1};  ///< the rank that has announced its failure

 private:
  void meet(std::unique_lock<std::mutex>& lock, const std::function<void()>& while_waiting) {
    const int round = round_;
    if (++here_ == size_) {
      here_ = 0;
      ++round_;
      arrived_.notify_all();
    }
    const auto over = [&] { return round_ != round || lost_; };
    while (!arrived_.wait_for(lock, std::chrono::milliseconds(20), over)) {
      lock.unlock();
      while_waiting ? while_waiting() : void();
      lock.lock();
    }
    if (round_ == round) {
      throw std::runtime_error("the connection is closed");
    }
  }

  const int size_;
  std::mutex mutex_;
  std::condition_variable arrived_;
  std::vector<std::vector<std::byte>> sent_;
  int here_ = 0, round_ = 0;
  bool lost_ = false;
};

class ThreadLink final : public RankLink {
 public:
  ThreadLink(Table& table, int rank) : table_(table), rank_(rank) {}
  int rank() const override { return rank_; }
  int size() const override { return table_.size(); }
  void gather(std::span<const std::byte> mine, std::span<std::byte> all) override {
    std::byte* to = all.data();
    for (const std::vector<std::byte>& part : exchange(mine)) {
      to = std::copy(part.begin(), part.end(), to);
    }
  }
  void broadcast(std::span<std::byte> bytes, int from) override {
    const auto all = exchange(bytes);
    std::ranges::copy(all[static_cast<std::size_t>(from)], bytes.begin());
  }
  void scatter(std::span<const std::byte> whole, std::span<const std::size_t> ends,
               std::span<std::byte> parts) override {
    const std::size_t begin = begin_of(rank_, ends);
    const std::size_t size = ends[static_cast<std::size_t>(rank_)] - begin;
    std::byte* to = parts.data();
    for (const std::vector<std::byte>& other : exchange(whole)) {
      to = std::copy_n(other.data() + begin, size, to);
    }
  }
  void complete(std::span<std::byte> whole, std::span<const std::size_t> ends) override {
    const auto all = exchange(whole);
    for (int rank = 0; rank < size(); ++rank) {
      const std::size_t begin = begin_of(rank, ends);
      std::copy_n(all[static_cast<std::size_t>(rank)].data() + begin,
                  ends[static_cast<std::size_t>(rank)] - begin, whole.data() + begin);
    }
  }
  bool listens() const override { return true; }
  double silence(int rank) const override { return rank == table_.silent ? 60 : 0; }
  void announce_failure() override { table_.failing = rank_; }
  bool failure_announced() const override { return table_.failing >= 0 && table_.failing != rank_; }
  void close() override { exchange({}); }

 private:
  std::vector<std::vector<std::byte>> exchange(std::span<const std::byte> mine) {
    return table_.exchange(rank_, mine, while_waiting);
  }
  static std::size_t begin_of(int rank, std::span<const std::size_t> ends) {
    return rank == 0 ? 0 : ends[static_cast<std::size_t>(rank) - 1];
  }
  Table& table_;
  int rank_;
};

/// Runs `work` in `size` threads, each with its ranks, which leave at the end.
inline void with_ranks(int size, const std::function<void(Ranks&)>& work) {
  Table table(size);
  std::vector<std::thread> threads;
  for (int rank = 0; rank < size; ++rank) {
    threads.emplace_back([&, rank] {
      Ranks ranks(std::make_unique<ThreadLink>(table, rank));
      try {
        work(ranks);
      } catch (...) {
        ranks.fail(std::current_exception());
      }
      if (!ranks.leave()) {
        table.lose();
      }
    });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
}

}  // namespace mantissa::testing_support
