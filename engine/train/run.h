#pragma once
// The engine's interface for the command line and the studio.

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <filesystem>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "engine/core/fields.h"
#include "engine/core/message.h"
#include "engine/core/progress.h"
#include "engine/plan/job.h"
#include "engine/plan/plan_report.h"
#include "engine/precision/health.h"
#include "engine/preset/preset.h"
#include "engine/store/rows.h"

namespace mantissa {

enum class RunState { idle, preparing, training, pausing, paused, stopping, finished, failed };

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
    return std::tuple{Field{"step", &SampleRecord::step},
                      Field{"index", &SampleRecord::prompt_index},
                      Field{"prompt", &SampleRecord::prompt}, Field{"path", &SampleRecord::path}};
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
    return std::tuple{
        Field{"folder", &FullDisk::folder},       Field{"step", &FullDisk::step},
        Field{"needed_bytes", &FullDisk::needed}, Field{"free_bytes", &FullDisk::free},
        Field{"message", &FullDisk::message},     Field{"movable", &FullDisk::movable}};
  }
};

/// Receives events, on the engine's thread. Implementations must return quickly.
class RunObserver {
 public:
  virtual ~RunObserver() = default;
  virtual void on_state(RunState) {}
  virtual void on_progress(RunPhase phase, std::int64_t done, std::int64_t total) {}
  /// Levels: 0 debug, 1 info, 2 warning, 3 error. The line may contain untrusted names: display it
  /// through printable (engine/core/printable.h).
  virtual void on_log(int level, const Message& line) {}
  virtual void on_plan(const PlanReport&) {}
  virtual void on_step(const StepRecord&) {}
  virtual void on_health(const HealthRecord&) {}
  virtual void on_validation(const ValidationRecord&) {}
  /// Now and then, of a run by several processes.
  virtual void on_rates(const RunRates&) {}
  /// When a pause begins; for want of disk space, when it is over.
  virtual void on_pause(const PauseRecord&) {}
  virtual void on_non_finite(const NonFiniteReport&) {}
  virtual void on_sample(const SampleRecord&) {}
  virtual void on_saved(const std::filesystem::path&, std::int64_t step) {}
  /// The run is paused until there is room or a RunControl request: request_retry, request_folder
  /// or request_stop. Called again if that did not help.
  virtual void on_disk_full(const FullDisk&) {}
};

/// Requests to a running job, from any thread. The engine polls between steps and cache items;
/// state changes are announced through RunObserver::on_state only.
class RunControl {
 public:
  enum class Stop { none, discard, save };
  void request_pause();
  void request_resume();
  void request_stop(Stop how);
  void request_save();
  void request_sample();
  /// For a run waiting for disk space: retry now.
  void request_retry();
  /// The same: continue in a new folder of the run below this one. No effect unless waiting.
  void request_folder(const std::filesystem::path& folder);
  /// Applies the live settings of `preset` (see live_settings) after this step.
  void request_settings(const Preset& preset);

  Stop stop_requested() const { return stop_.load(std::memory_order_acquire); }
  bool pause_requested() const { return pause_.load(std::memory_order_acquire); }
  bool take_save_request() { return save_.exchange(false); }
  bool take_sample_request() { return sample_.exchange(false); }
  std::optional<Preset> take_settings();
  /// From now on a full disk ends the run, as with OnFullDisk::stop.
  void refuse_waits();
  bool waits_refused() const { return no_waits_.load(std::memory_order_acquire); }
  /// Counts stop requests, so that a wait can detect new ones.
  int stop_requests() const { return stops_.load(std::memory_order_acquire); }
  struct RoomAnswer {
    bool retry = false, stop = false;
    std::optional<std::filesystem::path> folder;
  };
  /// Blocks until there is an answer, at most for `most`. `stops`: stop_requests at the start of
  /// the wait.
  RoomAnswer wait_for_room(std::chrono::milliseconds most, int stops);
  /// Blocks while paused; returns at once on resume, stop, save or sample requests.
  void wait_while_paused();

 private:
  std::atomic<Stop> stop_{Stop::none};
  std::atomic<bool> pause_{false}, save_{false}, sample_{false};
  std::atomic<bool> has_settings_{false};
  std::atomic<bool> no_waits_{false};
  std::atomic<int> stops_{0};
  std::optional<Preset> settings_;               ///< under the mutex
  bool retry_ = false;                           ///< under the mutex
  std::optional<std::filesystem::path> folder_;  ///< under the mutex
  std::mutex mutex_;
  std::condition_variable changed_;
};

/// Settings that can change in a running job without a restart: keys of the schema.
std::vector<std::string_view> live_settings();
/// `running` with those settings from `wanted`.
Preset with_live_settings(const Preset& running, const Preset& wanted);

class Ranks;

struct RunResult {
  std::string run_id;
  std::filesystem::path folder;   ///< job.json, log.txt, checkpoints/, samples/, adapters
  std::filesystem::path adapter;  ///< the written LoRA, empty if none
  std::int64_t steps = 0;
  double final_loss = 0;

  static constexpr auto fields() {
    return std::tuple{Field{"run", &RunResult::run_id}, Field{"folder", &RunResult::folder},
                      Field{"adapter", &RunResult::adapter}, Field{"steps", &RunResult::steps},
                      Field{"loss", &RunResult::final_loss}};
  }
};

/// Trains to the end, or to a stop. Throws Error (interrupted, non_finite, …) after saving
/// everything that can be saved; ResumeRefused (run_identity.h) if a run can't be resumed as it is.
RunResult run_training(const JobSpec& job, RunControl& control, RunObserver& observer);

/// The same by several processes together, each with its own `control`. The result doesn't depend
/// on their number. Only the writer records the run and tells `observer`. Requests to any of them
/// are followed by all; new settings are those of the writer. The caller then tells the others of
/// an exception (Ranks::fail).
RunResult run_training_on_ranks(const JobSpec& job, RunControl& control, RunObserver& observer,
                                Ranks& ranks);

}  // namespace mantissa
