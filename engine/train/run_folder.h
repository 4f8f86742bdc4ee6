#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "engine/plan/job_paths.h"
#include "engine/train/run.h"

namespace mantissa {

/// The runs database: runs.db in the data directory.
std::filesystem::path runs_database();

/// Whether the process that owns a run is still there: it holds the run's lock file.
bool owner_is_alive(const RunRow& run);
/// The state for people: "interrupted" for a run whose process is gone, which the database learns
/// only when somebody writes to it. `lock`: path of its lock file, UTF-8.
std::string current_state(const std::string& state, const std::string& lock);

/// Folder of one run: job.json (frozen), log.txt, checkpoints/, samples/, adapters.
class RunFolder {
 public:
  /// A new run: makes the folder (job.out, or <data>/runs/<id>) and freezes the job. Throws Error
  /// naming the folder when it holds a run already or can't be written.
  static RunFolder create(const JobSpec& job);
  /// An existing run, by its folder or its id; where it moved to, if it did. Where job.json is
  /// missing, damaged or another one than the newest checkpoint's copy, that copy counts. Throws
  /// Error when there is neither, or naming what is wrong with job.json. Writes nothing.
  static RunFolder open(const std::filesystem::path& folder_or_id);

  const std::string& id() const { return id_; }
  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path checkpoints() const { return path_ / "checkpoints"; }
  std::filesystem::path samples() const { return path_ / "samples"; }
  std::filesystem::path job_file() const { return path_ / "job.json"; }
  std::filesystem::path log() const { return path_ / "log.txt"; }
  std::filesystem::path lock() const { return path_ / "run.lock"; }
  /// This run in a folder of its own below `parent`, with the frozen job. Throws DiskFull, or
  /// Error naming the folder.
  RunFolder moved_below(const std::filesystem::path& parent) const;
  /// Notes here that the run is in `to` now, where `open` then finds it. False when there is no
  /// room for that yet.
  bool note_move(const RunFolder& to) const;
  /// The job as frozen when the run began.
  JobSpec frozen_job() const;
  /// job.json as it should be.
  const std::string& job_text() const { return text_; }
  /// Why a checkpoint's copy counts in place of job.json; empty where that is intact.
  const Message& notice() const { return notice_; }
  /// Writes job.json where it isn't as it should be; a damaged one stays under another name.
  void repair();

 private:
  /// Where a note in `folder` says that the run `id` went; `folder` itself without one.
  static std::filesystem::path followed(const std::filesystem::path& folder, const std::string& id);
  bool find_job();
  void take_job(const std::string& text, const std::string& label);

  JobSpec job_;
  std::string text_;
  Message notice_;
  std::filesystem::path path_;
  std::string id_;
};

/// The job of a resumed run: the frozen one, with what may change while a run is stopped (steps,
/// saving, samples, names) taken from `wanted`. Throws Error naming every other key that differs.
JobSpec resumed_job(const JobSpec& frozen, const JobSpec& wanted);

}  // namespace mantissa
