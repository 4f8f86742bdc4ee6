#pragma once
// The engine as the command line and the studio see it.

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
#include <vector>

#include "engine/core/message.h"
#include "engine/precision/health.h"
#include "engine/preset/preset.h"
#include "engine/store/rows.h"

namespace mantissa {

/// What a run does where a disk is full. Waiting, it loses nothing; see RunObserver::on_disk_full.
enum class OnFullDisk { wait, stop };

/// Everything one run needs: the recipe and this machine's paths.
struct JobSpec {
  Preset preset;
  std::filesystem::path base;                     ///< checkpoint file, diffusers folder, or "demo"
  std::vector<std::filesystem::path> images;      ///< folders, or "demo"
  std::vector<std::filesystem::path> prior;       ///< folders of prior-preservation pictures
  std::vector<std::filesystem::path> validation;  ///< folders of pictures never trained on
  std::filesystem::path out;                      ///< run folder; empty: under the data directory
  bool overwrite = false;  ///< files that no run made may be replaced by the run's and by `trace`
  std::string device = "cpu";
  /// The same bits on every run of this build, card and driver; slower on a GPU. The CPU always is.
  bool deterministic = false;
  /// Bytes of a card that the run may take; 0: all that are free. Frozen weights stay in host
  /// memory as far as that asks for it.
  std::uint64_t memory_budget = 0;
  std::optional<std::filesystem::path> resume;  ///< run folder (or run id) to continue
  /// Parts of the run (ingredient_parts) that a resumed run may find changed.
  std::vector<std::string> accept_changed;
  /// A run whose every checkpoint is damaged begins again; they are set aside.
  bool start_over = false;
  std::optional<std::filesystem::path> continue_from;  ///< an adapter that is the start
  std::optional<DoraAxis> dora_axis;  ///< answers which side that file's magnitudes are for
  std::optional<std::filesystem::path> trace;
  std::int64_t trace_steps = 1;
  std::optional<std::filesystem::path> replay;
  OnFullDisk on_full_disk = OnFullDisk::wait;
  std::int64_t health_every = 50;  ///< steps between looks at every layer's numbers; 0: never
};

/// What long work is doing.
enum class RunPhase {
  loading,
  scanning,
  hashing,
  caching,
  caching_text,
  reading,
  training,
  validating,
  sampling,
  probing
};
/// "loading", "caching text", …: as events and Progress (engine/core/progress.h) name it.
std::string_view phase_name(RunPhase phase);
/// The phase that Progress names so.
RunPhase phase_of(std::string_view name);

enum class RunState { idle, preparing, training, pausing, paused, stopping, finished, failed };

/// A step, or a look at held-out pictures, is recorded as it is stored.
using StepRecord = StepRow;
using ValidationRecord = ValidationRow;

struct Finding {
  std::string id;       ///< "S4"
  std::string verdict;  ///< works | adjusted | warning | refused
  std::vector<std::string> fields;
  Message message;
  std::string fix_json;   ///< a preset patch, "{}" when there is none
  std::string changes{};  ///< what an adjustment applied: "precision.compute fp16 -> bf16, …"
};

/// One module of the base model, as it is kept and computed.
struct PlannedModule {
  std::string path;  ///< "unet.down_blocks.1.attentions.0.proj_in"
  std::string kind;  ///< linear | conv | norm | embedding | bias
  std::string storage, compute;
  Message reason;  ///< why it is not its part's default; empty where it is
};

/// What a run's folders come to.
struct PlannedData {
  std::int64_t images = 0;    ///< trained on, without those for prior preservation
  std::int64_t prior = 0;     ///< for prior preservation
  std::int64_t held_out = 0;  ///< for validation
  std::int64_t masks = 0;     ///< pictures with a mask
  std::int64_t skipped = 0;   ///< files
  std::int64_t batches_per_epoch = 0;
};

/// What a run's checkpoints take where they are kept.
struct PlannedDisk {
  std::filesystem::path folder;
  std::uint64_t needed_bytes = 0;  ///< those kept and the one being written, a fifth to spare
  std::uint64_t free_bytes = 0;
  bool fits() const { return needed_bytes <= free_bytes; }
};

struct PlanReport {
  std::string precision_json;
  std::uint64_t peak_bytes = 0;  ///< arena + weights + adapters + optimizer + packed copies
  std::uint64_t arena_bytes = 0;
  std::uint64_t weight_bytes = 0;
  std::uint64_t adapter_bytes = 0;     ///< masters, gradients, optimizer state, EMA
  std::uint64_t checkpoint_bytes = 0;  ///< on the disk, about
  PlannedDisk disk;
  std::uint64_t streamed_bytes = 0;  ///< weights in host memory, which the peak doesn't count
  std::uint64_t free_bytes = 0;      ///< available on the device, or the budget below that
  /// In the order of the catalogue; those that just work (verdict "works") come last.
  std::vector<Finding> findings;
  std::vector<PlannedModule> modules;  ///< only from plan_training, by path
  std::optional<PlannedData> data;     ///< only where pictures were given
};

struct SampleRecord {
  std::int64_t step = 0;
  int prompt_index = 0;
  std::string prompt;
  std::filesystem::path path;  ///< PNG
};

/// A disk without room for what a run has to write.
struct FullDisk {
  std::filesystem::path folder;
  std::uint64_t needed = 0;  ///< bytes
  std::uint64_t free = 0;    ///< bytes
  Message message;           ///< a sentence with all of it
  bool movable = false;      ///< the run may go on in another folder: RunControl::request_folder
};

/// Receives what happens, on the engine's thread. Implementations must return quickly.
class RunObserver {
 public:
  virtual ~RunObserver() = default;
  virtual void on_state(RunState) {}
  virtual void on_progress(RunPhase phase, std::int64_t done, std::int64_t total) {}
  /// Levels: 0 debug, 1 info, 2 warning, 3 error. The line may hold names from outside: show it
  /// through printable (engine/core/printable.h).
  virtual void on_log(int level, const Message& line) {}
  virtual void on_plan(const PlanReport&) {}
  virtual void on_step(const StepRecord&) {}
  virtual void on_health(const HealthRecord&) {}
  virtual void on_validation(const ValidationRecord&) {}
  virtual void on_non_finite(const NonFiniteReport&) {}
  virtual void on_sample(const SampleRecord&) {}
  virtual void on_saved(const std::filesystem::path&, std::int64_t step) {}
  /// The run stands still, in the state paused, until there is room or RunControl says what to do:
  /// request_retry, request_folder or request_stop. Told again where that did not help.
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
  /// To a run that waits for room on a disk: try again now.
  void request_retry();
  /// The same: go on in a folder of the run's own below this one. Nothing where it does not wait.
  void request_folder(const std::filesystem::path& folder);
  /// What of `preset` may change while a run goes on (see live_settings) holds after this step.
  void request_settings(const Preset& preset);

  Stop stop_requested() const { return stop_.load(std::memory_order_acquire); }
  bool pause_requested() const { return pause_.load(std::memory_order_acquire); }
  bool take_save_request() { return save_.exchange(false); }
  bool take_sample_request() { return sample_.exchange(false); }
  std::optional<Preset> take_settings();
  /// From now on a full disk ends the run, as with OnFullDisk::stop.
  void refuse_waits();
  bool waits_refused() const { return no_waits_.load(std::memory_order_acquire); }
  /// Counts requests to stop, so that a wait can tell new ones.
  int stop_requests() const { return stops_.load(std::memory_order_acquire); }
  struct RoomAnswer {
    bool retry = false, stop = false;
    std::optional<std::filesystem::path> folder;
  };
  /// Blocks until there is an answer, or for `most`. `stops`: stop_requests when the wait began.
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

/// Settings that a running job takes over without a restart: keys of the schema.
std::vector<std::string_view> live_settings();
/// `running` with those settings from `wanted`.
Preset with_live_settings(const Preset& running, const Preset& wanted);

struct RunResult {
  std::string run_id;
  std::filesystem::path folder;   ///< job.json, log.txt, checkpoints/, samples/, adapters
  std::filesystem::path adapter;  ///< the written LoRA, empty when none
  std::int64_t steps = 0;
  double final_loss = 0;
};

/// Trains to the end, or to a stop. Throws Error (interrupted, non_finite, …) after everything that
/// can be kept is kept; ResumeRefused (run_identity.h) where a run can't go on as it is.
RunResult run_training(const JobSpec& job, RunControl& control, RunObserver& observer);

/// What `mantissa check` shows: plan, memory and findings; trains nothing.
PlanReport plan_training(const JobSpec& job);

}  // namespace mantissa
