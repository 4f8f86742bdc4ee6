#pragma once
// A run's states and events, as the command line and the studio receive them.

#include <cstdint>
#include <filesystem>
#include <string>

#include "engine/core/fields.h"
#include "engine/core/log_level.h"
#include "engine/core/message.h"
#include "engine/core/progress.h"
#include "engine/plan/job.h"
#include "engine/plan/plan_report.h"
#include "engine/precision/health.h"
#include "engine/preset/preset.h"
#include "engine/store/rows.h"

namespace mantissa {

enum class RunState { idle, preparing, training, pausing, paused, stopping, finished, failed };
/// Name of a state in the database: "preparing", "training", …
std::string state_name(RunState state);

/// Steps, validation losses and pauses have the same form as in the database.
using StepRecord = StepRow;
using ValidationRecord = ValidationRow;
using PauseRecord = PauseRow;

struct SampleRecord {
  std::int64_t step = 0;
  int prompt_index = 0;
  std::string prompt;
  std::filesystem::path path;  ///< PNG

  static constexpr auto fields() {
    return field_list(Field{"step", &SampleRecord::step},
                      Field{"index", &SampleRecord::prompt_index},
                      Field{"prompt", &SampleRecord::prompt}, Field{"path", &SampleRecord::path});
  }
};

/// A disk too full for a run's output.
struct FullDisk {
  std::filesystem::path folder;
  std::int64_t step = 0;     ///< the last one taken
  std::uint64_t needed = 0;  ///< bytes
  std::uint64_t free = 0;    ///< bytes
  Message message;           ///< all of it as a sentence
  bool movable = false;      ///< the run may continue in another folder: RunControl::request_folder

  static constexpr auto fields() {
    return field_list(Field{"folder", &FullDisk::folder}, Field{"step", &FullDisk::step},
                      Field{"needed_bytes", &FullDisk::needed},
                      Field{"free_bytes", &FullDisk::free}, Field{"message", &FullDisk::message},
                      Field{"movable", &FullDisk::movable});
  }
};

/// Receives events, on the engine's thread. Implementations must return quickly.
class RunObserver {
 public:
  virtual ~RunObserver() = default;
  /// The run's id and folder, once it has one; again when it moves to another folder.
  virtual void on_begun(const std::string& run_id, const std::filesystem::path& folder) {}
  virtual void on_state(RunState) {}
  virtual void on_progress(RunPhase phase, std::int64_t done, std::int64_t total) {}
  /// The line may contain untrusted names: display it through printable (engine/core/printable.h).
  virtual void on_log(LogLevel level, const Message& line) {}
  virtual void on_plan(const PlanReport&) {}
  /// The settings in force from now on: some were changed while the run trains, or by resuming it.
  virtual void on_settings(const Preset&) {}
  virtual void on_step(const StepRecord&) {}
  virtual void on_health(const HealthRecord&) {}
  virtual void on_validation(const ValidationRecord&) {}
  /// Periodically, in a run by several processes.
  virtual void on_rates(const RunRates&) {}
  /// When a pause begins; one for lack of disk space, when it ends.
  virtual void on_pause(const PauseRecord&) {}
  virtual void on_non_finite(const NonFiniteReport&) {}
  virtual void on_sample(const SampleRecord&) {}
  virtual void on_saved(const std::filesystem::path&, std::int64_t step) {}
  /// The run is paused until there is room or a RunControl request: request_retry, request_folder
  /// or request_stop. Called again if there is still no room.
  virtual void on_disk_full(const FullDisk&) {}
};

struct RunResult {
  std::string run_id;
  std::filesystem::path folder;   ///< job.json, log.txt, checkpoints/, samples/, adapters
  std::filesystem::path adapter;  ///< the written LoRA, empty if none
  std::int64_t steps = 0;
  double final_loss = 0;

  static constexpr auto fields() {
    return field_list(Field{"run", &RunResult::run_id}, Field{"folder", &RunResult::folder},
                      Field{"adapter", &RunResult::adapter}, Field{"steps", &RunResult::steps},
                      Field{"loss", &RunResult::final_loss});
  }
};

}  // namespace mantissa
