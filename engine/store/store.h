#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "engine/core/log_level.h"
#include "engine/core/message.h"
#include "engine/precision/health.h"
#include "engine/store/rows.h"

namespace mantissa {

/// SQLite's version, as loaded: "3.40.1".
std::string database_library_version();

/// The writing side of the runs database: one connection and one thread that batches jobs into
/// transactions. WAL, synchronous NORMAL: always consistent; power loss may cost the commits since
/// the last `sync`. Create one per process and file. Callable from any thread.
///
/// A write that fails (disk full, read-only) stays queued and is retried at the next call. That
/// call throws the Error, naming the folder, after queueing its own row. The queue is bounded:
/// callers wait while it is full; while writing fails a full queue refuses the row.
class RunStore {
 public:
  /// Whether the process that owns a run is alive (its lock file is held).
  using IsAlive = std::function<bool(const RunRow&)>;

  /// Opens or creates the database and its folder. A damaged file is set aside as
  /// `<file>.corrupt-<time>` and replaced by a new one. Runs without a live owner become
  /// "interrupted" (an owner takes its lock before create_run); without `is_alive` none does. Both
  /// are reported in notices(). Throws Error if the file is of a newer version, or can't be created
  /// or written.
  explicit RunStore(const std::filesystem::path& file, const IsAlive& is_alive = {});
  /// Writes what is queued; a failure is only logged.
  ~RunStore();
  RunStore(const RunStore&) = delete;
  RunStore& operator=(const RunStore&) = delete;

  const std::vector<Message>& notices() const;
  /// Ids of the runs that were marked interrupted when this store was opened.
  const std::vector<std::string>& interrupted() const;
  const std::filesystem::path& file() const;

  /// Written before it returns. Throws Error if the id is taken.
  void create_run(const RunRow& run);
  /// A run continues after a resume: new owner, state, no finish time; rows above `step` are
  /// removed.
  void resume_run(const std::string& id, std::int64_t step, const std::string& state,
                  const std::string& host, std::int64_t process);
  void set_state(const std::string& id, const std::string& state);
  /// A run continues in another folder. `lock`: path of the lock file there. Paths are UTF-8.
  void move_run(const std::string& id, const std::string& out, const std::string& lock);
  /// `family`: of the base model, as family_badge.h knows it; empty: the preset's.
  void set_plan(const std::string& id, const std::string& plan_json,
                const std::string& family = {});
  /// A run's settings changed: its name, and the whole preset as JSON.
  void set_settings(const std::string& id, const std::string& name, const std::string& preset_json);
  void add_step(const std::string& id, const StepRow& row);
  void add_event(const std::string& id, LogLevel level, const Message& message);
  void add_health(const std::string& id, HealthRecord record);
  void add_validation(const std::string& id, const ValidationRow& row);
  void add_image_losses(const std::string& id, ImageLossRecord record);
  void add_rates(const std::string& id, const RunRates& rates);
  void add_pause(const std::string& id, const PauseRow& row);
  void add_sample(const std::string& id, const SampleRow& row);
  void add_checkpoint(const std::string& id, const CheckpointRow& row);
  void remove_checkpoint(const std::string& id, std::int64_t step);
  /// A user's notes on a run. Written before it returns.
  void annotate(const std::string& id, const std::string& tags, const std::string& note);
  /// A hidden run is not listed; its rows stay, so that it can be restored. Written before it
  /// returns.
  void set_hidden(const std::string& id, bool hidden);
  /// Removes a run's rows; its folder stays. Written before it returns.
  void delete_run(const std::string& id);
  /// Waits until everything queued is in the database.
  void flush();
  /// Flushes, and waits until the rows survive a power loss.
  void sync();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace mantissa
