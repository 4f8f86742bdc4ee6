#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <utility>

#include "engine/core/disk_full.h"
#include "engine/run/run.h"
#include "engine/run/run_control.h"

namespace mantissa {

/// Handling of a full disk: the run pauses with its state in memory, reports which folder lacks how
/// many bytes, and continues when there is room, on request, or in another folder. The only place
/// where writers wait; used on the engine's thread.
class DiskWait {
 public:
  DiskWait(RunControl& control, RunObserver& observer, OnFullDisk policy)
      : control_(control), observer_(observer), policy_(policy) {}

  /// Runs `write` until it doesn't throw DiskFull. Rethrows it if the job says so, or after a stop
  /// request during the wait and one more try.
  void keep(const std::function<void()>& write);
  /// Whether the run was stopped while waiting: what can't be written now never will be.
  bool gave_up() const { return gave_up_; }
  /// A wait that has ended.
  struct Ended {
    std::int64_t step = 0;  ///< the last one taken
    std::chrono::duration<double> waited{};
    std::filesystem::path folder;
  };
  /// The last one, for the log and the database; once.
  std::optional<Ended> take_ended() { return std::exchange(ended_, std::nullopt); }

  /// The run's state when not waiting.
  void set_state(RunState state) { state_ = state; }
  /// The last step taken.
  void set_step(std::int64_t step) { step_ = step; }
  /// The run's folder and how to move the run below another folder; if `move` throws Error, it is
  /// reported and the run stays in place.
  void allow_move(std::filesystem::path run_folder,
                  std::function<void(const std::filesystem::path&)> move);

 private:
  bool wait(const DiskFull& full);
  static bool room_for(const DiskFull& full, std::uint64_t before);
  void tell(const DiskFull& full);
  bool try_move(const std::filesystem::path& folder);

  RunControl& control_;
  RunObserver& observer_;
  OnFullDisk policy_;
  RunState state_ = RunState::preparing;
  std::int64_t step_ = 0;
  bool gave_up_ = false;
  std::optional<Ended> ended_;
  std::filesystem::path run_folder_;
  std::function<void(const std::filesystem::path&)> move_;
};

}  // namespace mantissa
