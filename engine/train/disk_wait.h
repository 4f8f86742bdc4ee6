#pragma once

#include <filesystem>
#include <functional>
#include <optional>

#include "engine/core/disk_full.h"
#include "engine/train/run.h"

namespace mantissa {

/// What a run does where a disk is full: it stands still with all that it has in memory, says which
/// folder lacks how many bytes, and goes on when there is room, when somebody says so, or in
/// another folder. The one place where writers wait; used on the engine's thread.
class DiskWait {
 public:
  DiskWait(RunControl& control, RunObserver& observer, OnFullDisk policy)
      : control_(control), observer_(observer), policy_(policy) {}

  /// Runs `write` until it doesn't throw DiskFull. Passes that on where the job says so, and after
  /// a request to stop that came while it waited, for which it tries once more.
  void keep(const std::function<void()>& write);
  /// Whether the run was stopped while it waited: what can't be written now never will be.
  bool gave_up() const { return gave_up_; }
  /// A sentence about waits that ended, for the log; once.
  std::optional<Message> take_note();

  /// What the run does apart from waiting.
  void set_state(RunState state) { state_ = state; }
  /// The run's folder and how the run moves into one below another folder; an Error of `move` is
  /// told and the run stays where it is.
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
  bool gave_up_ = false;
  Message note_;
  std::filesystem::path run_folder_;
  std::function<void(const std::filesystem::path&)> move_;
};

}  // namespace mantissa
