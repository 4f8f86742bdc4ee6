#pragma once
// Ranks that are threads of one process, some of which can't be heard.

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "engine/ranks/ranks.h"
#include "engine/ranks/thread_link.h"

namespace mantissa::testing_support {

/// A link on which rank `silent` isn't heard.
class DeafLink final : public RankLink {
 public:
  DeafLink(std::unique_ptr<RankLink> link, const std::atomic<int>& silent)
      : link_(std::move(link)), silent_(silent) {
    link_->while_waiting = [this] { while_waiting(); };
  }
  int rank() const override { return link_->rank(); }
  int size() const override { return link_->size(); }
  void gather(std::span<const std::byte> mine, std::span<std::byte> all) override {
    link_->gather(mine, all);
  }
  void broadcast(std::span<std::byte> bytes, int from) override { link_->broadcast(bytes, from); }
  void scatter(std::span<const std::byte> whole, std::span<const std::size_t> ends,
               std::span<std::byte> parts) override {
    link_->scatter(whole, ends, parts);
  }
  void complete(std::span<std::byte> whole, std::span<const std::size_t> ends) override {
    link_->complete(whole, ends);
  }
  bool listens() const override { return true; }
  double silence(int rank) const override { return rank == silent_ ? 60 : 0; }
  void announce_failure() override { link_->announce_failure(); }
  bool failure_announced() const override { return link_->failure_announced(); }
  void close() override { link_->close(); }

 private:
  std::unique_ptr<RankLink> link_;
  const std::atomic<int>& silent_;
};

/// Runs `work` in a thread for each name, with its ranks, which leave at the end.
inline void with_ranks(std::vector<std::string> names, const std::function<void(Ranks&)>& work) {
  ThreadMeeting meeting(std::move(names));
  std::vector<std::jthread> threads;
  for (int rank = 0; rank < meeting.size(); ++rank) {
    threads.emplace_back([&, rank] {
      Ranks ranks(meeting.link(rank));
      try {
        work(ranks);
      } catch (...) {
        ranks.fail(std::current_exception());
      }
      if (!ranks.leave()) {
        meeting.close();
      }
    });
  }
}
/// Runs `work` likewise in `size` threads, whose ranks have no names.
inline void with_ranks(int size, const std::function<void(Ranks&)>& work) {
  with_ranks(std::vector<std::string>(static_cast<std::size_t>(size)), work);
}

}  // namespace mantissa::testing_support
