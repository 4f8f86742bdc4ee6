#pragma once
// Between a run and what links the processes or threads that train it.

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>

namespace mantissa {

/// How the processes of one run exchange bytes, or threads in their place. All of them make the
/// same calls in the same order; each call returns when it is complete here. Throws
/// std::runtime_error with the reason. Used on one thread.
class RankLink {
 public:
  RankLink() = default;
  virtual ~RankLink() = default;
  RankLink(const RankLink&) = delete;
  RankLink& operator=(const RankLink&) = delete;

  virtual int rank() const = 0;
  virtual int size() const = 0;
  /// What users call rank `rank`; empty for a process.
  virtual std::string name(int /*rank*/) const { return {}; }
  /// `mine` of each process, in the order of their ranks. All have the same size.
  virtual void gather(std::span<const std::byte> mine, std::span<std::byte> all) = 0;
  /// The bytes of process `from`.
  virtual void broadcast(std::span<std::byte> bytes, int from) = 0;
  /// Process r's part of `whole`, from byte ends[r - 1] to ends[r], goes to process r; `parts`
  /// receives what the others have there, in the order of their ranks. Below 2 GB.
  virtual void scatter(std::span<const std::byte> whole, std::span<const std::size_t> ends,
                       std::span<std::byte> parts) = 0;
  /// Each process has its own part of `whole`; all get the others'.
  virtual void complete(std::span<std::byte> whole, std::span<const std::size_t> ends) = 0;

  /// Whether a thread of each process tells the others that it works, however long that computes:
  /// only then can one that is slow be told from one that is gone.
  virtual bool listens() const = 0;
  /// For how many seconds of this process's own time nothing was heard of process `rank`: 0 where
  /// it doesn't listen, infinite if the connection failed.
  virtual double silence(int rank) const = 0;
  /// Notifies the others, whatever they do, that this process is going to make its last calls.
  virtual void announce_failure() = 0;
  /// Whether another one has told so.
  virtual bool failure_announced() const = 0;

  /// Leaves in an orderly way, with all processes.
  virtual void close() = 0;

  /// Called again and again while a call waits. What it throws leaves that call, after which none
  /// may be made.
  std::function<void()> while_waiting;
};

/// The interface of the library, through its one symbol `mantissa_mpi_api`. Both sides are built
/// together: a different `build` is refused.
struct MpiApi {
  const char* build = nullptr;
  std::unique_ptr<RankLink> (*open)() = nullptr;
};

}  // namespace mantissa
