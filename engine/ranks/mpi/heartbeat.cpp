#include "engine/ranks/mpi/heartbeat.h"

#include <algorithm>
#include <exception>
#include <limits>
#include <utility>

#include "engine/ranks/mpi/mpi_check.h"

namespace mantissa {
namespace {

constexpr std::chrono::milliseconds kBetweenLooks{100};
constexpr std::chrono::milliseconds kBetweenLastLooks{5};
constexpr std::chrono::seconds kBetweenBeats{1};
/// A process that was stopped itself, or whose machine slept, couldn't hear the others meanwhile.
constexpr double kMostPassed = 1;  ///< seconds
constexpr double kFailed = std::numeric_limits<double>::infinity();

std::size_t processes() {
  int size = 0;
  check_mpi(MPI_Comm_size(MPI_COMM_WORLD, &size));
  return static_cast<std::size_t>(size);
}

}  // namespace

Heartbeat::Heartbeat() : peers_(processes()) {
  check_mpi(MPI_Comm_dup(MPI_COMM_WORLD, &all_));
  check_mpi(MPI_Comm_set_errhandler(all_, MPI_ERRORS_RETURN));
  check_mpi(MPI_Comm_rank(all_, &rank_));
  thread_ = std::thread([this] { run(); });
}

Heartbeat::~Heartbeat() {
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
  }
  told_.notify_all();
  thread_.join();
}

void Heartbeat::tell(Beat beat) {
  {
    const std::lock_guard lock(mutex_);
    beat_ = beat;
  }
  told_.notify_all();
}

void Heartbeat::run() {
  Beat beat = Beat::works;
  auto looked = Clock::now();
  while (true) {
    {
      std::unique_lock lock(mutex_);
      told_.wait_for(lock, beat == Beat::leaves ? kBetweenLastLooks : kBetweenLooks,
                     [&] { return ended_ || beat_ != beat; });
      if (ended_) {
        return;
      }
      beat = beat_;
    }
    const auto now = Clock::now();
    const double passed = std::chrono::duration<double>(now - std::exchange(looked, now)).count();
    bool done = true;
    for (int other = 0; other < static_cast<int>(peers_.size()); ++other) {
      done = (other == rank_ || exchange(other, beat, std::min(passed, kMostPassed))) && done;
    }
    all_left_ = done;
  }
}

bool Heartbeat::exchange(int rank, Beat beat, double passed) {
  Peer& peer = peers_[static_cast<std::size_t>(rank)];
  if (peer.silence == kFailed) {
    return false;
  }
  try {
    listen(rank, passed);
    return speak(rank, beat) && peer.left;
  } catch (const std::exception&) {
    peer.silence = kFailed;
    return false;
  }
}

// The checker can't follow requests that are tested at the next check.
// NOLINTBEGIN(clang-analyzer-optin.mpi.MPI-Checker)
void Heartbeat::listen(int rank, double passed) {
  Peer& peer = peers_[static_cast<std::size_t>(rank)];
  peer.silence = peer.left ? 0 : peer.silence + passed;
  while (!peer.left) {
    if (peer.receiving == MPI_REQUEST_NULL) {
      check_mpi(MPI_Irecv(&peer.received, 1, MPI_BYTE, rank, 0, all_, &peer.receiving));
    }
    int done = 0;
    check_mpi(MPI_Test(&peer.receiving, &done, MPI_STATUS_IGNORE));
    if (done == 0) {
      return;
    }
    peer.silence = 0;
    peer.left = peer.received == Beat::leaves;
    if (peer.received == Beat::fails) {
      failure_announced_ = true;
    }
  }
}

/// True once the peer knows that this process leaves.
bool Heartbeat::speak(int rank, Beat beat) {
  Peer& peer = peers_[static_cast<std::size_t>(rank)];
  int done = 0;
  check_mpi(MPI_Test(&peer.sending, &done, MPI_STATUS_IGNORE));
  if (done == 0 || peer.sent == Beat::leaves) {
    return done != 0;
  }
  const auto now = Clock::now();
  if (beat != peer.sent || now - peer.sent_at >= kBetweenBeats) {
    peer.sent = beat;
    peer.sent_at = now;
    check_mpi(MPI_Isend(&peer.sent, 1, MPI_BYTE, rank, 0, all_, &peer.sending));
  }
  return false;
}
// NOLINTEND(clang-analyzer-optin.mpi.MPI-Checker)

}  // namespace mantissa
