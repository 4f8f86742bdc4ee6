#include "kernels/cuda/nccl.h"

#include <array>
#include <chrono>
#include <climits>
#include <cstring>
#include <stdexcept>
#include <thread>
#include <utility>

namespace mantissa::cuda {
namespace {

// The part of NCCL's interface that is used, as documented since version 2.18: nothing links it.

enum class Result : int { success = 0, in_progress = 7 };
constexpr int kLeastVersion = 21800;  ///< 2.18.0
constexpr int kBytes = 1;             ///< its type of unsigned bytes
struct Id {
  std::array<std::byte, 128> bytes;
};
struct CommunicatorOfNccl;
using Communicator = CommunicatorOfNccl*;
/// Its options in version 2.18; later ones accept them.
struct Options {
  std::size_t size = sizeof(Options);
  unsigned magic = 0xcafebeef;
  unsigned version = kLeastVersion;
  int blocking = 0;  ///< calls return at once, so that a lost process keeps none waiting
  int cluster = INT_MIN, least_blocks = INT_MIN, most_blocks = INT_MIN;  ///< not set
  const char* network = nullptr;
  int split = INT_MIN;
};

struct Functions {
  Result (*get_version)(int*) = nullptr;
  Result (*get_unique_id)(Id*) = nullptr;
  Result (*init)(Communicator*, int size, Id id, int rank, Options*) = nullptr;
  Result (*async_error)(Communicator, Result*) = nullptr;
  Result (*finalize)(Communicator) = nullptr;
  Result (*destroy)(Communicator) = nullptr;
  Result (*abort)(Communicator) = nullptr;
  Result (*group_start)() = nullptr;
  Result (*group_end)() = nullptr;
  Result (*send)(const void*, std::size_t, int type, int to, Communicator, cudaStream_t) = nullptr;
  Result (*receive)(void*, std::size_t, int type, int from, Communicator, cudaStream_t) = nullptr;
  const char* (*error_text)(Result) = nullptr;
  const char* (*last_error)(Communicator) = nullptr;
};

template <typename Function>
void look_up(const NcclLibrary& nccl, const char* name, Function*& function) {
  function = reinterpret_cast<Function*>(nccl.symbol(nccl.handle, name));
  if (function == nullptr) {
    throw std::runtime_error(std::string("it has no function ") + name);
  }
}

Functions functions_of(const NcclLibrary& nccl) {
  Functions f;
  look_up(nccl, "ncclGetVersion", f.get_version);
  look_up(nccl, "ncclGetUniqueId", f.get_unique_id);
  look_up(nccl, "ncclCommInitRankConfig", f.init);
  look_up(nccl, "ncclCommGetAsyncError", f.async_error);
  look_up(nccl, "ncclCommFinalize", f.finalize);
  look_up(nccl, "ncclCommDestroy", f.destroy);
  look_up(nccl, "ncclCommAbort", f.abort);
  look_up(nccl, "ncclGroupStart", f.group_start);
  look_up(nccl, "ncclGroupEnd", f.group_end);
  look_up(nccl, "ncclSend", f.send);
  look_up(nccl, "ncclRecv", f.receive);
  look_up(nccl, "ncclGetErrorString", f.error_text);
  look_up(nccl, "ncclGetLastError", f.last_error);
  return f;
}

class NcclLink final : public CardLink {
 public:
  NcclLink(const NcclLibrary& nccl, Context& context, const CardLinkPlace& place,
           WhileWaiting while_waiting)
      : nccl_(functions_of(nccl)),
        context_(context),
        rank_(place.rank),
        size_(place.size),
        while_waiting_(std::move(while_waiting)) {
    Id id{};
    std::memcpy(id.bytes.data(), place.id.data(), std::min(place.id.size(), id.bytes.size()));
    Options options;
    try {
      // Each process brings its own time: one that failed to start never comes.
      const auto late = std::chrono::steady_clock::now() + std::chrono::minutes(1);
      settle(nccl_.init(&communicator_, size_, id, rank_, &options), late);
    } catch (...) {
      abort();
      throw;
    }
  }
  ~NcclLink() override {
    if (communicator_ == nullptr) {
      return;
    }
    try {
      settle(nccl_.finalize(communicator_));
      nccl_.destroy(std::exchange(communicator_, nullptr));
    } catch (...) {
      abort();  // the others are gone
    }
  }

  void scatter(const void* whole, std::span<const std::size_t> ends, void* parts) override {
    const std::size_t mine = size_of(rank_, ends);
    exchange([&](int other) {
      check(nccl_.send(at(const_cast<void*>(whole), begin_of(other, ends)), size_of(other, ends),
                       kBytes, other, communicator_, context_.stream()));
      check(nccl_.receive(at(parts, static_cast<std::size_t>(other) * mine), mine, kBytes, other,
                          communicator_, context_.stream()));
    });
  }

  // Parts differ in size by an element, so this is no call of ncclAllGather.
  void complete(void* whole, std::span<const std::size_t> ends) override {
    exchange([&](int other) {
      if (other != rank_) {
        check(nccl_.send(at(whole, begin_of(rank_, ends)), size_of(rank_, ends), kBytes, other,
                         communicator_, context_.stream()));
        check(nccl_.receive(at(whole, begin_of(other, ends)), size_of(other, ends), kBytes, other,
                            communicator_, context_.stream()));
      }
    });
  }

 private:
  using Deadline = std::chrono::steady_clock::time_point;

  static std::byte* at(void* data, std::size_t offset) {
    return static_cast<std::byte*>(data) + offset;
  }
  static std::size_t begin_of(int rank, std::span<const std::size_t> ends) {
    return rank == 0 ? 0 : ends[static_cast<std::size_t>(rank) - 1];
  }
  static std::size_t size_of(int rank, std::span<const std::size_t> ends) {
    return ends[static_cast<std::size_t>(rank)] - begin_of(rank, ends);
  }

  [[noreturn]] void fail(Result result) const {
    check_alive("nccl");
    const char* detail = communicator_ != nullptr ? nccl_.last_error(communicator_) : nullptr;
    const std::string text = nccl_.error_text(result);
    throw std::runtime_error(detail != nullptr && *detail != '\0' ? text + " (" + detail + ")"
                                                                  : text);
  }
  /// A call that may continue in the background.
  void check(Result result) const {
    if (result != Result::success && result != Result::in_progress) {
      fail(result);
    }
  }
  /// Waits until such a call is over.
  void settle(Result result, Deadline late = Deadline::max()) {
    while (result == Result::in_progress) {
      pause(late);
      check(nccl_.async_error(communicator_, &result));
    }
    check(result);
  }
  void pause(Deadline late = Deadline::max()) const {
    if (std::chrono::steady_clock::now() > late) {
      throw std::runtime_error("the other processes didn't join within a minute");
    }
    while_waiting_();
    std::this_thread::sleep_for(std::chrono::microseconds(50));
  }

  /// One group of calls, `with` each process; until the card has done it.
  template <typename Calls>
  void exchange(const Calls& with) {
    context_.refuse_recording("nccl");
    if (communicator_ == nullptr) {
      throw std::runtime_error("the link was closed after an error");
    }
    bool open = false;
    try {
      check(nccl_.group_start());
      open = true;
      for (int other = 0; other < size_; ++other) {
        with(other);
      }
      open = false;
      settle(nccl_.group_end());
      wait();
    } catch (...) {
      if (open) {
        nccl_.group_end();  // else this thread's next calls would join the group
      }
      abort();
      throw;
    }
  }
  /// As cudaStreamSynchronize, which never returns if a process is gone.
  void wait() {
    while (true) {
      const cudaError_t status = cudaStreamQuery(context_.stream());
      if (status != cudaErrorNotReady) {
        check_cuda(status, "nccl");
        return;
      }
      Result failed = Result::success;
      check(nccl_.async_error(communicator_, &failed));
      check(failed);
      pause();
    }
  }
  /// Ends what the card still waits for.
  void abort() noexcept {
    if (communicator_ != nullptr) {
      nccl_.abort(std::exchange(communicator_, nullptr));
    }
  }

  Functions nccl_;
  Context& context_;
  int rank_, size_;
  WhileWaiting while_waiting_;
  Communicator communicator_ = nullptr;
};

}  // namespace

void describe_nccl(NcclLibrary& nccl) {
  try {
    int version = 0;
    if (functions_of(nccl).get_version(&version) != Result::success) {
      throw std::runtime_error("it doesn't tell its version");
    }
    nccl.version = std::to_string(version / 10000) + "." + std::to_string(version / 100 % 100) +
                   "." + std::to_string(version % 100);
    if (version < kLeastVersion) {
      throw std::runtime_error("version " + nccl.version + " is older than 2.18");
    }
  } catch (const std::runtime_error& e) {
    nccl.error = e.what();
    nccl.handle = nullptr;
  }
}

CardLinkId new_nccl_link(const NcclLibrary& nccl) {
  const Functions functions = functions_of(nccl);
  Id id{};
  if (const Result result = functions.get_unique_id(&id); result != Result::success) {
    throw std::runtime_error(functions.error_text(result));
  }
  return {id.bytes.begin(), id.bytes.end()};
}

std::unique_ptr<CardLink> join_nccl_link(const NcclLibrary& nccl, Context& context,
                                         const CardLinkPlace& place, WhileWaiting while_waiting) {
  return std::make_unique<NcclLink>(nccl, context, place, std::move(while_waiting));
}

}  // namespace mantissa::cuda
