#pragma once
// defines: StepRow, RunRow, EventRow, SampleRow, CheckpointRow, RunStore

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace mantissa {

/// One training step; the members of StepRecord (engine/train/run.h), NaN and infinity included.
struct StepRow {
  std::int64_t step = 0;
  double loss = 0;
  double grad_norm = 0;
  double clip_norm = 0;
  double loss_scale = 1;
  double lost_update = 0;
  double update_ratio = 0;
  double seconds = 0;
  double lr[3] = {0, 0, 0};
  double group_norm[3] = {0, 0, 0};
  bool clipped = false;
  bool skipped = false;
};

/// States "finished", "failed", "stopped" and "interrupted" are ends; any other means that some
/// process owns the run.
struct RunRow {
  std::string id, name, state;
  std::int64_t created = 0,
               finished = 0;           ///< Unix milliseconds; created 0: now; finished 0: not yet
  std::string base, out;               ///< paths, UTF-8
  std::string preset_json, plan_json;  ///< frozen at the start
  std::int64_t seed = 0;
  std::string host;          ///< machine
  std::int64_t process = 0;  ///< pid, for people; the lock decides
  std::string lock;          ///< path of the run's lock file, UTF-8
  // Filled by readers:
  std::int64_t steps = 0;  ///< last step recorded
  double last_loss = 0;    ///< its loss, NaN where there is none
};

struct EventRow {
  std::int64_t id = 0;    ///< rising
  std::int64_t time = 0;  ///< Unix milliseconds
  int level = 1;          ///< 0 debug, 1 info, 2 warning, 3 error
  std::string text;
};

struct SampleRow {
  std::int64_t step = 0;
  int prompt_index = 0;
  std::string prompt, path;  ///< path of the PNG, UTF-8
};

struct CheckpointRow {
  std::int64_t step = 0;
  std::string path;
  std::int64_t bytes = 0;
};

bool is_final_state(const std::string& state);

/// The writing side of the runs database: one connection, one thread of its own that gathers jobs
/// into transactions. WAL, synchronous NORMAL: always consistent; power loss may cost the last
/// commits. Make one per process and file. Callable from any thread.
///
/// A write that fails (disk full, read-only) stays queued and is tried again at the next call. That
/// call throws the Error, naming the folder, after queueing its own row. The queue is bounded:
/// callers wait while it is full; while writing fails a full queue refuses the row.
class RunStore {
 public:
  /// Says whether the process that owns a run is still there (its lock file is held).
  using IsAlive = std::function<bool(const RunRow&)>;

  /// Opens or makes the database and its folder. A damaged file is set aside as
  /// `<file>.corrupt-<time>` and a new one made. Runs that nobody owns any more become
  /// "interrupted" (an owner takes its lock before create_run); without `is_alive` none does. Both
  /// are told in notices().
  /// Throws Error when the file was made by a newer version, or can't be made or written.
  explicit RunStore(const std::filesystem::path& file, const IsAlive& is_alive = {});
  /// Writes what is queued; a failure is only logged.
  ~RunStore();
  RunStore(const RunStore&) = delete;
  RunStore& operator=(const RunStore&) = delete;

  const std::vector<std::string>& notices() const;
  const std::filesystem::path& file() const;

  /// Written before it returns. Throws Error when the id is taken.
  void create_run(const RunRow& run);
  /// A run goes on after a resume: new owner, state, no finish time; rows above `step` are removed.
  void resume_run(const std::string& id, std::int64_t step, const std::string& state,
                  const std::string& host, std::int64_t process);
  void set_state(const std::string& id, const std::string& state);
  void set_plan(const std::string& id, const std::string& plan_json);
  void add_step(const std::string& id, const StepRow& row);
  void add_event(const std::string& id, int level, const std::string& text);
  void add_sample(const std::string& id, const SampleRow& row);
  void add_checkpoint(const std::string& id, const CheckpointRow& row);
  void remove_checkpoint(const std::string& id, std::int64_t step);
  /// Removes a run's rows; its folder stays. Written before it returns.
  void delete_run(const std::string& id);
  /// Waits until everything queued is in the database.
  void flush();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace mantissa
