#include "engine/ranks/thread_link.h"

#include <algorithm>
#include <chrono>
#include <stdexcept>
#include <utility>

namespace mantissa {
namespace {

constexpr std::chrono::milliseconds kBetweenLooks{20};

std::span<std::byte> part_of(std::span<std::byte> whole, std::span<const std::size_t> ends,
                             int rank) {
  const auto at = static_cast<std::size_t>(rank);
  const std::size_t begin = rank == 0 ? 0 : ends[at - 1];
  return whole.subspan(begin, ends[at] - begin);
}

/// What is only read.
std::span<std::byte> shown(std::span<const std::byte> bytes) {
  return {const_cast<std::byte*>(bytes.data()), bytes.size()};
}

}  // namespace

ThreadMeeting::ThreadMeeting(std::vector<std::string> names)
    : names_(std::move(names)), shown_(names_.size()) {}

void ThreadMeeting::close() {
  const std::lock_guard lock(mutex_);
  closed_ = true;
  changed_.notify_all();
}

void ThreadMeeting::meet(const Waiting& while_waiting) {
  std::unique_lock lock(mutex_);
  const int round = round_;
  if (++waiting_ == size()) {
    waiting_ = 0;
    ++round_;
    changed_.notify_all();
  }
  const auto over = [&] { return round_ != round || closed_; };
  while (!changed_.wait_for(lock, kBetweenLooks, over)) {
    if (while_waiting) {
      lock.unlock();
      while_waiting();
      lock.lock();
    }
  }
  if (round_ == round) {
    throw std::runtime_error("one of them has left");
  }
}

template <typename Take>
void ThreadMeeting::exchange(int rank, std::span<std::byte> mine, const Waiting& while_waiting,
                             const Take& take) {
  shown_[static_cast<std::size_t>(rank)] = mine;
  meet(while_waiting);
  take(shown_);
  meet(while_waiting);
}

class ThreadLink final : public RankLink {
 public:
  ThreadLink(ThreadMeeting& meeting, int rank) : meeting_(meeting), rank_(rank) {}

  int rank() const override { return rank_; }
  int size() const override { return meeting_.size(); }
  std::string name(int rank) const override {
    return meeting_.names_[static_cast<std::size_t>(rank)];
  }

  void gather(std::span<const std::byte> mine, std::span<std::byte> all) override {
    exchange(shown(mine), [&](const ThreadMeeting::Parts& parts) {
      std::byte* to = all.data();
      for (const std::span<std::byte> part : parts) {
        to = std::ranges::copy(part, to).out;
      }
    });
  }
  void broadcast(std::span<std::byte> bytes, int from) override {
    exchange(bytes, [&](const ThreadMeeting::Parts& parts) {
      if (from != rank_) {
        std::ranges::copy(parts[static_cast<std::size_t>(from)], bytes.begin());
      }
    });
  }
  void scatter(std::span<const std::byte> whole, std::span<const std::size_t> ends,
               std::span<std::byte> parts) override {
    exchange(shown(whole), [&](const ThreadMeeting::Parts& wholes) {
      std::byte* to = parts.data();
      for (const std::span<std::byte> other : wholes) {
        to = std::ranges::copy(part_of(other, ends, rank_), to).out;
      }
    });
  }
  void complete(std::span<std::byte> whole, std::span<const std::size_t> ends) override {
    exchange(whole, [&](const ThreadMeeting::Parts& wholes) {
      for (int other = 0; other < size(); ++other) {
        if (other != rank_) {
          std::ranges::copy(part_of(wholes[static_cast<std::size_t>(other)], ends, other),
                            part_of(whole, ends, other).begin());
        }
      }
    });
  }

  // A thread ends with its process or tells why it failed: silence means nothing.
  bool listens() const override { return true; }
  double silence(int) const override { return 0; }
  void announce_failure() override { meeting_.failing_ = rank_; }
  bool failure_announced() const override {
    const int failing = meeting_.failing_;
    return failing >= 0 && failing != rank_;
  }
  void close() override { meeting_.meet(while_waiting); }

 private:
  template <typename Take>
  void exchange(std::span<std::byte> mine, const Take& take) {
    meeting_.exchange(rank_, mine, while_waiting, take);
  }

  ThreadMeeting& meeting_;
  const int rank_;
};

std::unique_ptr<RankLink> ThreadMeeting::link(int rank) {
  return std::make_unique<ThreadLink>(*this, rank);
}

}  // namespace mantissa
