#pragma once
// Ranks that are threads of one process.

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
  std::vector<std::vector<std::byte>> exchange(int rank, std::span<const std::byte> mine) {
    std::unique_lock lock(mutex_);
    sent_[static_cast<std::size_t>(rank)].assign(mine.begin(), mine.end());
    meet(lock);
    std::vector<std::vector<std::byte>> all = sent_;
    meet(lock);
    return all;
  }
  /// Makes all wait in vain from now on.
  void lose() {
    const std::lock_guard lock(mutex_);
    lost_ = true;
    arrived_.notify_all();
  }

 private:
  void meet(std::unique_lock<std::mutex>& lock) {
    const int round = round_;
    if (++here_ == size_) {
      here_ = 0;
      ++round_;
      arrived_.notify_all();
    }
    arrived_.wait(lock, [&] { return round_ != round || lost_; });
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
    for (const std::vector<std::byte>& part : table_.exchange(rank_, mine)) {
      to = std::copy(part.begin(), part.end(), to);
    }
  }
  void broadcast(std::span<std::byte> bytes, int from) override {
    const auto all = table_.exchange(rank_, bytes);
    std::ranges::copy(all[static_cast<std::size_t>(from)], bytes.begin());
  }
  void scatter(std::span<const std::byte> whole, std::span<const std::size_t> ends,
               std::span<std::byte> parts) override {
    const std::size_t begin = begin_of(rank_, ends);
    const std::size_t size = ends[static_cast<std::size_t>(rank_)] - begin;
    std::byte* to = parts.data();
    for (const std::vector<std::byte>& other : table_.exchange(rank_, whole)) {
      to = std::copy_n(other.data() + begin, size, to);
    }
  }
  void complete(std::span<std::byte> whole, std::span<const std::size_t> ends) override {
    const auto all = table_.exchange(rank_, whole);
    for (int rank = 0; rank < size(); ++rank) {
      const std::size_t begin = begin_of(rank, ends);
      std::copy_n(all[static_cast<std::size_t>(rank)].data() + begin,
                  ends[static_cast<std::size_t>(rank)] - begin, whole.data() + begin);
    }
  }
  void close() override { table_.exchange(rank_, {}); }

 private:
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
