#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "engine/io/run_lock.h"
#include "engine/plan/job.h"
#include "engine/plan/job_paths.h"
#include "engine/store/rows.h"

namespace mantissa {

/// The runs database: runs.db in the data directory.
std::filesystem::path runs_database();

/// Whether the process that owns a run is alive: it holds the run's lock file.
bool owner_is_alive(const RunRow& run);
/// The state for display: "interrupted" for a run whose process is gone, which the database only
/// records on the next write. `lock`: path of its lock file, UTF-8.
std::string current_state(const std::string& state, const std::string& lock);

/// Throws Error naming the folder, and why, if no file can be made in it or where it would be.
void require_writable(const std::filesystem::path& folder);

/// Folder of one run: job.json (frozen), settings.json (what was changed since), log.txt,
/// checkpoints/, samples/, adapters.
class RunFolder {
 public:
  /// A new run: creates the folder (job.out, or <data>/runs/<id>) and freezes the job. Throws Error
  /// naming the folder if it already contains a run or can't be written.
  static RunFolder create(const JobSpec& job);
  /// As above; `lock` gets the run's, so that no start at the same moment comes between.
  static RunFolder create(const JobSpec& job, std::optional<RunLock>& lock);
  /// Throws Error as create does for a folder that contains a run or a file that the run would
  /// replace. Writes nothing.
  static void require_free(const JobSpec& job);
  /// An existing run, by its folder, its id, or a beginning of one that only one run in the
  /// database has; in its new folder, if it moved. If job.json is missing, damaged or differs from
  /// the newest checkpoint's copy, that copy is used. Throws Error if there is neither, or naming
  /// the problem of job.json. Writes nothing.
  static RunFolder open(const std::filesystem::path& folder_or_id);

  const std::string& id() const { return id_; }
  /// As whole_path gives it, however the run was named.
  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path checkpoints() const { return path_ / "checkpoints"; }
  std::filesystem::path samples() const { return path_ / "samples"; }
  std::filesystem::path job_file() const { return path_ / "job.json"; }
  std::filesystem::path log() const { return path_ / "log.txt"; }
  /// What the run began with, until a checkpoint holds it: see BegunInputs.
  std::filesystem::path inputs() const { return path_ / "inputs.json"; }
  /// File of the images that the base model made for the run.
  std::filesystem::path own_latents(bool of_slider) const {
    return path_ / (of_slider ? "slider.latents" : "base-images.latents");
  }
  std::filesystem::path event_files() const { return path_ / "tensorboard"; }
  std::filesystem::path lock() const { return path_ / "run.lock"; }
  /// This run in a new folder below `parent`, with the frozen job. Throws DiskFull, or
  /// Error naming the folder.
  RunFolder moved_below(const std::filesystem::path& parent) const;
  /// Notes here that the run is now in `to`, where `open` then finds it. False if there is no room
  /// for that yet.
  bool note_move(const RunFolder& to) const;
  /// Location of the run with this id, if this folder is a copy of that one: by `recorded`, its
  /// folder in the database.
  std::optional<std::filesystem::path> original(const std::filesystem::path& recorded) const;
  /// Assigns a copied run an id of its own, under which `open` then knows it.
  void become_another_run();
  /// The job as frozen when the run began, with the settings in force: those that may change on
  /// resume or while it runs, as last recorded.
  JobSpec frozen_job() const;
  /// The settings that the run began with.
  const Preset& started_with() const { return started_; }
  /// Records the settings in force from now on, durably; the others stay those of job.json. Throws
  /// DiskFull.
  void record_settings(const Preset& preset);
  /// The correct content of job.json.
  const std::string& job_text() const { return text_; }
  /// Why a checkpoint's copy replaces job.json or the recorded settings; empty if they are intact.
  const Message& notice() const { return notice_; }
  /// Rewrites job.json if it isn't correct; a damaged one is kept under another name.
  void repair();

 private:
  /// Empty if neither folder nor copies hold a job.
  static std::optional<RunFolder> find(const std::filesystem::path& folder);
  /// The folder of the run with this id, or this beginning of one, by the database.
  static std::optional<RunFolder> find_recorded(const std::string& id);
  /// Where the run of `job_id` moved to by a note in `folder`; `folder` itself without one.
  static std::filesystem::path followed(const std::filesystem::path& folder,
                                        const std::string& job_id);
  static RunFolder placed(const JobSpec& job);
  /// A new name for a run, sortable by time; two of one second differ by 32 random bits. The only
  /// use of a clock and of system randomness here.
  static std::string new_id(const std::string& name);
  /// File in a copied run that holds its id.
  std::filesystem::path copy_note() const { return path_ / "copy.json"; }
  std::optional<std::string> id_of_copy() const;
  bool find_job();
  void take_job(const std::string& text, const std::string& label);
  /// Beside job.json, which never changes: it is what the checkpoints belong to.
  std::filesystem::path settings_file() const { return path_ / "settings.json"; }
  /// Replaces the settings of job_ by those in force.
  void find_settings();
  std::string settings_text(const Preset& preset) const;

  JobSpec job_;
  Preset started_;  ///< of job.json
  std::string text_;
  Message notice_;
  std::filesystem::path path_;
  std::string id_;
  std::string job_id_;  ///< in job.json: of a copied run, that of the original
};

/// Throws Error if a new run's result would have the name of another file of its folder.
void require_result_name(const Preset& preset);

/// `running` with the settings from `wanted` that may change on resume or during a run.
Preset with_changeable_settings(const Preset& running, const Preset& wanted);

/// The job of a resumed run: the frozen one, with the settings that may change on resume (steps,
/// saving, samples, names) from `wanted`. Throws Error naming every other key that differs.
JobSpec resumed_job(const JobSpec& frozen, const JobSpec& wanted);

}  // namespace mantissa
