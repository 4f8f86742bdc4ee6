#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <mpi.h>
#include <mutex>
#include <thread>
#include <vector>

namespace mantissa {

/// Once a second, a thread of each process sends a byte to every other, on a communicator of its
/// own. Needs MPI_THREAD_MULTIPLE.
class Heartbeat {
 public:
  /// Made by all processes together.
  Heartbeat();
  /// Ends the thread: the others hear nothing more of this process.
  ~Heartbeat();
  Heartbeat(const Heartbeat&) = delete;
  Heartbeat& operator=(const Heartbeat&) = delete;

  /// These three as in RankLink.
  double silence(int rank) const { return peers_[static_cast<std::size_t>(rank)].silence; }
  void announce_failure() { tell(Beat::fails); }
  bool failure_announced() const { return failure_announced_; }

  /// From now on tells the others that this process leaves.
  void leave() { tell(Beat::leaves); }
  /// Whether all have told so and have been told: no message is on its way any more.
  bool all_left() const { return all_left_; }

 private:
  using Clock = std::chrono::steady_clock;
  enum class Beat : unsigned char { works, fails, leaves };
  struct Peer {
    MPI_Request receiving = MPI_REQUEST_NULL, sending = MPI_REQUEST_NULL;
    Beat received = Beat::works, sent = Beat::works;
    bool left = false;
    Clock::time_point sent_at;
    std::atomic<double> silence{0};  ///< seconds; infinite: the connection failed
  };

  void tell(Beat beat);
  void run();
  /// Takes what has come and sends what is due. True once neither has anything left to say.
  bool exchange(int rank, Beat beat, double passed);
  void listen(int rank, double passed);
  bool speak(int rank, Beat beat);

  MPI_Comm all_ = MPI_COMM_NULL;
  int rank_ = 0;
  std::vector<Peer> peers_;  ///< by rank
  std::atomic<bool> failure_announced_{false}, all_left_{false};
  std::mutex mutex_;
  std::condition_variable told_;
  Beat beat_ = Beat::works;  ///< under the mutex
  bool ended_ = false;       ///< under the mutex
  std::thread thread_;
};

}  // namespace mantissa
