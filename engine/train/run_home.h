#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "engine/io/run_lock.h"
#include "engine/train/checkpoint.h"
#include "engine/train/run_folder.h"
#include "engine/train/run_log.h"

namespace mantissa {

/// Where a run lives: its folder, which this process owns, and where it goes on when a disk is
/// full.
class RunHome {
 public:
  /// Throws Error naming the lock when another process has it.
  explicit RunHome(const RunFolder& folder) : folder_(folder), lock_(folder.lock()) {}
  RunHome(const RunHome&) = delete;
  RunHome& operator=(const RunHome&) = delete;

  /// Changes when the run moves: ask for it inside of RunLog::keep.
  const RunFolder& folder() const { return folder_; }
  CheckpointFolder checkpoints() const { return CheckpointFolder(folder_.checkpoints()); }
  /// Writes job.json where it isn't as it should be.
  void repair() { folder_.repair(); }

  /// From now on a writer of `log` that finds its disk full may take the run to another folder.
  /// This must outlive the log's last use.
  void allow_moves(RunLog& log);
  /// Before something is written: the folder is still this process's. Throws Error where somebody
  /// else may own it by now.
  void renew_lock(RunLog& log);
  /// Notes in the folders that the run left where it is now, as far as there is room for that.
  void note_moves();

  /// The newest that is known to be intact.
  std::optional<std::filesystem::path> last_checkpoint;

 private:
  void move_below(const std::filesystem::path& parent, RunLog& log);

  RunFolder folder_;
  std::vector<RunFolder> left_;        ///< hold no note yet that the run moved
  RunLock lock_;                       ///< of the folder that the run began in
  std::optional<RunLock> moved_lock_;  ///< of the one that it moved to
};

}  // namespace mantissa
