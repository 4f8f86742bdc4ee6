#pragma once

#include <filesystem>
#include <optional>
#include <utility>
#include <vector>

#include "engine/io/run_lock.h"
#include "engine/run/checkpoint.h"
#include "engine/run/run_folder.h"
#include "engine/run/run_log.h"

namespace mantissa {

/// A run's folder, owned by this process or read by another one of the run, and where it continues
/// when a disk is full.
class RunHome {
 public:
  /// Throws Error naming the lock if another process has it.
  explicit RunHome(const RunFolder& folder) : RunHome(folder, RunLock(folder.lock())) {}
  /// With the folder's lock.
  RunHome(const RunFolder& folder, RunLock lock) : folder_(folder), lock_(std::move(lock)) {}
  /// Tag of a process that only reads the folder, beside the one that owns it.
  struct Reading {};
  RunHome(const RunFolder& folder, Reading) : folder_(folder) {}
  RunHome(const RunHome&) = delete;
  RunHome& operator=(const RunHome&) = delete;

  /// Whether this process owns it.
  bool writes() const { return lock_.has_value(); }
  /// Changes when the run moves: call it inside RunLog::keep.
  const RunFolder& folder() const { return folder_; }
  CheckpointFolder checkpoints() const { return CheckpointFolder(folder_.checkpoints()); }
  /// Rewrites job.json if it isn't correct.
  void repair() { folder_.repair(); }
  /// The settings in force from now on: durable in the folder, and in the runs database. Call it
  /// in the process that writes.
  void record_settings(const Preset& preset, RunLog& log);
  /// Makes a copy a run of its own: see RunFolder::become_another_run.
  void become_another_run() { folder_.become_another_run(); }

  /// From now on a writer of `log` whose disk is full may move the run to another folder. This must
  /// outlive the log's last use.
  void allow_moves(RunLog& log);
  /// Call it before writing: checks that this process still owns the folder. Throws Error if
  /// another may own it by now.
  void renew_lock(RunLog& log);
  /// Notes the run's current folder in the folders it left, if there is room.
  void note_moves();

  /// The newest checkpoint known to be intact.
  std::optional<std::filesystem::path> last_checkpoint;

 private:
  void move_below(const std::filesystem::path& parent, RunLog& log);

  RunFolder folder_;
  std::vector<RunFolder> left_;        ///< without a note yet that the run moved
  std::optional<RunLock> lock_;        ///< of the folder that the run began in
  std::optional<RunLock> moved_lock_;  ///< of the folder it moved to
};

}  // namespace mantissa
