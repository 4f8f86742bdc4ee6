#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/core/error.h"
#include "engine/ranks/rank_link.h"
#include "kernels/device_lost.h"

namespace mantissa {

/// Another process of the run is gone: nothing can be agreed with the others any more.
class RankLost : public Error {
 public:
  explicit RankLost(Message message) : Error(ErrorKind::rank_lost, std::move(message)) {}
};

/// The card of another process stopped working, as that one told.
struct RankDeviceLost : DeviceLost {
  using DeviceLost::DeviceLost;
};

/// The processes that train one run together, or the threads of one process, each with its rank
/// from 0; without a link, this one alone. Where not said otherwise, all make the same calls in the
/// same order. Every call is also where a failed process tells the others: they throw its error in
/// place of the result. Throws RankLost if a process is gone. Used on one thread.
class Ranks {
 public:
  Ranks() = default;
  /// Meets the others.
  explicit Ranks(std::unique_ptr<RankLink> link);
  Ranks(const Ranks&) = delete;
  Ranks& operator=(const Ranks&) = delete;

  int rank() const { return link_ ? link_->rank() : 0; }
  int size() const { return link_ ? link_->size() : 1; }
  bool alone() const { return size() == 1; }
  /// Whether this process writes the run's files and speaks for all: rank 0.
  bool writes() const { return rank() == 0; }
  /// How many of them run on this machine.
  int here() const { return static_cast<int>(neighbours_.size()) + 1; }
  /// Whether a process that is stopped, or on a machine that can't be reached, is noticed. If not,
  /// only the launcher may end the others.
  bool notices_silence() const { return alone() || link_->listens(); }
  /// The machine of process `rank`; empty for this one alone.
  std::string host(int rank) const;
  /// The card of rank `rank`, "cuda:1", where each is a thread with one; else empty.
  std::string card(int rank) const { return link_ ? link_->name(rank) : std::string(); }
  /// What to call rank `rank`: "process 1", or its card.
  Message name(int rank) const;
  /// Name of rank `rank` with its machine: "process 1 on HOST", or its card.
  Message name_and_host(int rank) const;
  /// "2 processes", or "2 cards".
  Message all() const;
  /// How many of lower rank, and how many in all, have the same machine as this one.
  int place_on_host() const;
  int processes_on_host() const;

  /// During long work without other calls: throws RankLost if a process is known to be gone. Needs
  /// no call of the others.
  void look_after_others();
  /// Whether another one has failed, which it tells at the next call. Needs no call of the others.
  bool another_fails() const { return link_ && link_->failure_announced(); }
  /// Returns when all have come here.
  void meet();
  /// Whether it holds in any of them.
  bool any(bool mine);
  /// The value of each, by rank.
  std::vector<double> gather(double mine);
  /// Replaces each value by the largest of all processes.
  void take_largest(std::vector<float>& values);
  /// The text of each, by rank.
  std::vector<std::string> texts(const std::string& mine);
  /// The text of rank 0.
  std::string of_writer(const std::string& text);
  /// Throws Error, in all, if a process has another text than rank 0. `what` names it: "preset".
  void require_same(const Message& what, const std::string& text);
  /// As in RankLink.
  void scatter(std::span<const std::byte> whole, std::span<const std::size_t> ends,
               std::span<std::byte> parts);
  void complete(std::span<std::byte> whole, std::span<const std::size_t> ends);

  /// Notifies the others why this process can't continue, unless it learned that from them. At the
  /// other processes' next call, whichever it is.
  void fail(const std::exception_ptr& why) noexcept;
  /// Leaves when all do. False after a loss, where it is seconds later but for the process that
  /// speaks: the process must then exit, and the launcher, seeing that it didn't leave, ends those
  /// that are left.
  bool leave() noexcept;

 private:
  struct Neighbour {
    int rank;
    std::int64_t process;
  };
  void find_neighbours();
  void find_hosts();
  void find_lost() const;
  /// What all calls begin with: whether the others still work.
  void agree(const std::exception_ptr& failure);
  [[noreturn]] void throw_failure(int rank, const std::exception_ptr& own);
  std::string broadcast(const std::string& text, int from);
  std::vector<std::int64_t> gather_numbers(std::int64_t mine);
  /// Runs a call of the link; after an exception the link can't be used.
  template <typename Call>
  void linked(const Call& call);

  std::unique_ptr<RankLink> link_;
  std::vector<Neighbour> neighbours_;
  std::vector<std::string> hosts_;  ///< by rank
  std::int64_t looked_at_ = 0;      ///< milliseconds of a steady clock
  bool ended_ = false;              ///< one failed, as all know
  bool lost_ = false;
};

/// The processes that the launcher of this one started, or this one alone. Throws Error if they
/// can't be linked.
std::unique_ptr<Ranks> open_ranks();

}  // namespace mantissa
