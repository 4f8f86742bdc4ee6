#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "engine/plan/job_paths.h"
#include "engine/train/run.h"

namespace mantissa {

/// The runs database: runs.db in the data directory.
std::filesystem::path runs_database();

/// Whether the process that owns a run is alive: it holds the run's lock file.
bool owner_is_alive(const RunRow& run);
/// The state for display: "interrupted" for a run whose process is gone, which the database only
/// records on the next write. `lock`: path of its lock file, UTF-8.
std::string current_state(const std::string& state, const std::string& lock);

/// Folder of one run: job.json (frozen), log.txt, checkpoints/, samples/, adapters.
class RunFolder {
 public:
  /// A new run: creates the folder (job.out, or <data>/runs/<id>) and freezes the job. Throws Error
  /// naming the folder if it already contains a run or can't be written.
  static RunFolder create(const JobSpec& job);
  /// Throws Error as create does for a folder that contains a run or a file that the run would
  /// replace. Writes nothing.
  static void require_free(const JobSpec& job);
  /// An existing run, by its folder or its id; in its new folder, if it moved. If job.json is
  /// missing, damaged or differs from the newest checkpoint's copy, that copy is used. Throws Error
  /// if there is neither, or naming the problem of job.json. Writes nothing.
  static RunFolder open(const std::filesystem::path& folder_or_id);

  const std::string& id() const { return id_; }
  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path checkpoints() const { return path_ / "checkpoints"; }
  std::filesystem::path samples() const { return path_ / "samples"; }
  std::filesystem::path job_file() const { return path_ / "job.json"; }
  std::filesystem::path log() const { return path_ / "log.txt"; }
  std::filesystem::path lock() const { return path_ / "run.lock"; }
  /// This run in a new folder below `parent`, with the frozen job. Throws DiskFull, or
  /// Error naming the folder.
  RunFolder moved_below(const std::filesystem::path& parent) const;
  /// Notes here that the run is now in `to`, where `open` then finds it. False if there is no room
  /// for that yet.
  bool note_move(const RunFolder& to) const;
  /// The job as frozen when the run began.
  JobSpec frozen_job() const;
  /// The correct content of job.json.
  const std::string& job_text() const { return text_; }
  /// Why a checkpoint's copy replaces job.json; empty if that is intact.
  const Message& notice() const { return notice_; }
  /// Rewrites job.json if it isn't correct; a damaged one is kept under another name.
  void repair();

 private:
  /// Where the run `id` moved to by a note in `folder`; `folder` itself without one.
  static std::filesystem::path followed(const std::filesystem::path& folder, const std::string& id);
  static RunFolder placed(const JobSpec& job);
  bool find_job();
  void take_job(const std::string& text, const std::string& label);

  JobSpec job_;
  std::string text_;
  Message notice_;
  std::filesystem::path path_;
  std::string id_;
};

/// The job of a resumed run: the frozen one, with the settings that may change on resume (steps,
/// saving, samples, names) from `wanted`. Throws Error naming every other key that differs.
JobSpec resumed_job(const JobSpec& frozen, const JobSpec& wanted);

}  // namespace mantissa
