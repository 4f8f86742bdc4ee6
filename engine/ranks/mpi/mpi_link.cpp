// This folder is all that uses MPI.
#include <chrono>
#include <mpi.h>
#include <numeric>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "engine/ranks/mpi/heartbeat.h"
#include "engine/ranks/mpi/mpi_check.h"
#include "engine/ranks/rank_link.h"

namespace mantissa {
namespace {

/// Where each process's part begins, and its size.
struct Parts {
  explicit Parts(std::span<const std::size_t> ends) {
    std::size_t begin = 0;
    for (const std::size_t end : ends) {
      begins.push_back(static_cast<int>(begin));
      sizes.push_back(static_cast<int>(end - begin));
      begin = end;
    }
  }
  std::vector<int> begins, sizes;
};

class MpiLink final : public RankLink {
 public:
  MpiLink() {
    int provided = 0, all_provide = 0;
    check_mpi(MPI_Init_thread(nullptr, nullptr, MPI_THREAD_MULTIPLE, &provided));
    check_mpi(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    check_mpi(MPI_Comm_rank(MPI_COMM_WORLD, &rank_));
    check_mpi(MPI_Comm_size(MPI_COMM_WORLD, &size_));
    check_mpi(MPI_Allreduce(&provided, &all_provide, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD));
    if (all_provide >= MPI_THREAD_MULTIPLE) {
      heartbeat_.emplace();
    }
  }

  int rank() const override { return rank_; }
  int size() const override { return size_; }

  void gather(std::span<const std::byte> mine, std::span<std::byte> all) override {
    const int bytes = static_cast<int>(mine.size());
    wait([&](MPI_Request* request) {
      return MPI_Iallgather(mine.data(), bytes, MPI_BYTE, all.data(), bytes, MPI_BYTE,
                            MPI_COMM_WORLD, request);
    });
  }

  void broadcast(std::span<std::byte> bytes, int from) override {
    wait([&](MPI_Request* request) {
      return MPI_Ibcast(bytes.data(), static_cast<int>(bytes.size()), MPI_BYTE, from,
                        MPI_COMM_WORLD, request);
    });
  }

  void scatter(std::span<const std::byte> whole, std::span<const std::size_t> ends,
               std::span<std::byte> parts) override {
    const Parts sent(ends);
    const int mine = sent.sizes[static_cast<std::size_t>(rank_)];
    const std::vector<int> sizes(static_cast<std::size_t>(size_), mine);
    std::vector<int> begins(sizes.size());
    std::exclusive_scan(sizes.begin(), sizes.end(), begins.begin(), 0);
    wait([&](MPI_Request* request) {
      return MPI_Ialltoallv(whole.data(), sent.sizes.data(), sent.begins.data(), MPI_BYTE,
                            parts.data(), sizes.data(), begins.data(), MPI_BYTE, MPI_COMM_WORLD,
                            request);
    });
  }

  void complete(std::span<std::byte> whole, std::span<const std::size_t> ends) override {
    const Parts parts(ends);
    wait([&](MPI_Request* request) {
      return MPI_Iallgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, whole.data(), parts.sizes.data(),
                             parts.begins.data(), MPI_BYTE, MPI_COMM_WORLD, request);
    });
  }

  bool listens() const override { return heartbeat_.has_value(); }
  double silence(int rank) const override {
    return heartbeat_ && rank != rank_ ? heartbeat_->silence(rank) : 0;
  }
  void announce_failure() override {
    if (heartbeat_) {
      heartbeat_->announce_failure();
    }
  }
  bool failure_announced() const override { return heartbeat_ && heartbeat_->failure_announced(); }

  void close() override {
    if (heartbeat_) {
      heartbeat_->leave();
      while (!heartbeat_->all_left()) {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
        while_waiting();
      }
      heartbeat_.reset();
    }
    MPI_Finalize();
  }

 private:
  /// Waits without taking the cores from processes that still compute: MPI's own waits spin.
  template <typename Start>
  void wait(const Start& start) {
    using std::chrono::steady_clock;
    constexpr std::chrono::milliseconds kEager{1};
    constexpr std::chrono::microseconds kPause{100};
    MPI_Request request = MPI_REQUEST_NULL;
    check_mpi(start(&request));
    const auto begun = steady_clock::now();
    int done = 0;
    while (true) {
      check_mpi(MPI_Test(&request, &done, MPI_STATUS_IGNORE));
      if (done != 0) {
        return;  // NOLINT(clang-analyzer-optin.mpi.MPI-Checker): the test has completed it
      }
      if (steady_clock::now() - begun < kEager) {
        std::this_thread::yield();
      } else {
        std::this_thread::sleep_for(kPause);
        while_waiting();
      }
    }
  }

  int rank_ = 0, size_ = 1;
  std::optional<Heartbeat> heartbeat_;
};

std::unique_ptr<RankLink> make_link() {
  return std::make_unique<MpiLink>();
}

constexpr MpiApi kApi{MANTISSA_BUILD, make_link};

}  // namespace
}  // namespace mantissa

extern "C" __attribute__((visibility("default"))) const mantissa::MpiApi* mantissa_mpi_api() {
  return &mantissa::kApi;
}
