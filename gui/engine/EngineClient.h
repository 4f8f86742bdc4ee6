#pragma once

#include <QObject>
#include <QString>
#include <QVector>
#include <algorithm>
#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <thread>

#include "engine/probe/precision_front.h"
#include "engine/probe/probe.h"
#include "engine/probe/rate_test.h"
#include "engine/render/sample.h"
#include "engine/run/run.h"
#include "engine/run/run_control.h"
#include "engine/run/run_failure.h"
#include "engine/train/verify_run.h"
#include "gui/engine/StepRing.h"

namespace mantissa::gui {

/// The engine as a function; the real one is run_training, tests pass a scripted one.
using Runner = std::function<RunResult(const JobSpec&, RunControl&, RunObserver&)>;
/// Renders one image with an adapter file; the real one is run_sample.
using SampleRunner = std::function<void(const SampleRequest&, RunObserver&)>;
using Planner = std::function<PlanReport(const JobSpec&)>;
/// Compares the first steps with FP32; the real one is run_probe.
using Prober =
    std::function<ProbeReport(const JobSpec&, const ProbeOptions&, RunControl&, RunObserver&)>;

/// Solves for the types of the denoiser's layers, with so many steps of each choice; the real one
/// is solve_precision.
using Solver =
    std::function<PrecisionFront(const JobSpec&, std::int64_t, RunControl&, RunObserver&)>;

/// Tests learning rates; the real one is run_rate_test.
using RateTester =
    std::function<RateTest(const JobSpec&, const RateTestOptions&, RunControl&, RunObserver&)>;

/// Takes a run's first steps again; the real one is verify_run on the run's device.
using Verifier =
    std::function<VerifyReport(const std::filesystem::path&, RunControl&, RunObserver&)>;

struct LogLine {
  LogLevel level = LogLevel::info;
  Message text;
  std::int64_t time = 0;  ///< Unix milliseconds; 0: now
};

/// How a run ended.
struct RunEnd {
  enum class How { completed, stopped, failed } how = How::completed;
  /// Result of a completed run; of any other only the last step and its loss, and the folder, if it
  /// has saved something or was resumed.
  RunResult result;
  RunFailure failure;  ///< of one that was stopped or failed
};

/// Owns the engine's thread. Steps go through a ring buffer that the window drains; everything else
/// arrives as signals on the window's thread. Requests not yet acknowledged by the engine are shown
/// as pending.
class EngineClient : public QObject {
  Q_OBJECT

 public:
  EngineClient(Runner runner, Planner planner, QObject* parent = nullptr);
  /// Makes a running job save and stop, and waits for it; one of another process goes on.
  ~EngineClient() override;

  /// False when a job is running already.
  bool start(const JobSpec& job);
  void set_apart_runner(Runner runner) { apart_runner_ = std::move(runner); }
  bool can_start_apart() const { return apart_runner_ != nullptr; }
  /// Trains in a process of its own, which goes on when this object is destroyed.
  bool start_apart(const JobSpec& job) { return begin(job, apart_runner_, Where::apart); }
  /// Shows such a run that is in progress: `follow` follows it until it ends.
  bool attach(const JobSpec& job, Runner follow) {
    return begin(job, std::move(follow), Where::attached);
  }
  /// Whether the run is a process of its own.
  bool is_apart() const { return running_ && where_ != Where::here; }
  /// Whether another window, or an earlier one, started it.
  bool is_attached() const { return running_ && where_ == Where::attached; }
  /// Computes plan, memory and findings on the engine's thread; trains nothing. False while busy.
  bool check(const JobSpec& job);

  void set_sample_runner(SampleRunner runner) { sample_runner_ = std::move(runner); }
  /// Renders an image on the engine's thread, or beside a paused run, which keeps its own. False
  /// while busy.
  bool render(const SampleRequest& request);
  void set_prober(Prober prober) { prober_ = std::move(prober); }
  /// Finds the modules that the precision plan damages, on the engine's thread. False while busy.
  bool probe(const JobSpec& job, const ProbeOptions& options);
  void set_solver(Solver solver) { solver_ = std::move(solver); }
  /// Solves for types, on the engine's thread. False while busy. Cancelled as a probe.
  bool solve(const JobSpec& job, std::int64_t steps);
  void set_rate_tester(RateTester tester) { rate_tester_ = std::move(tester); }
  /// Tests learning rates, on the engine's thread. False while busy.
  bool test_rates(const JobSpec& job, const RateTestOptions& options);
  void set_verifier(Verifier verifier) { verifier_ = std::move(verifier); }
  /// Takes the first steps of the run in `folder` again, on the engine's thread. False while busy.
  bool verify(const std::filesystem::path& folder);
  /// Cancels a rendering, a probe, a test or a verification at its next progress report. Starting a
  /// run does this automatically.
  void cancel_task();
  bool is_checking() const { return task_ == Task::check; }
  bool is_rendering() const { return task_ == Task::render; }
  bool is_probing() const { return task_ == Task::probe; }
  bool is_testing_rates() const { return task_ == Task::test_rates; }
  bool is_verifying() const { return task_ == Task::verify; }
  /// A run, or another task, has the engine's thread.
  bool is_busy() const { return running_ || task_ != Task::none; }

  void request_pause();
  void request_resume();
  void request_stop(RunControl::Stop how);
  void request_save();
  void request_sample();
  /// Answers to a run waiting for disk space (see disk_full).
  void request_retry();
  void request_folder(const std::filesystem::path& folder);
  /// Applies the live settings of `preset`; job() then has them.
  void request_settings(const Preset& preset);

  /// As announced by the engine.
  RunState state() const { return state_; }
  /// `state`, or pausing/stopping while a request waits for the engine.
  RunState shown_state() const;
  bool is_running() const { return running_; }
  /// Seconds since a pause or stop request that isn't yet acknowledged; 0 if none.
  double waiting_seconds() const;
  const JobSpec& job() const { return job_; }
  StepRing& ring() { return *ring_; }
  /// The last checkpoint reported by this run.
  const QString& last_saved() const { return last_saved_; }
  std::int64_t last_saved_step() const { return last_saved_step_; }
  /// How many of the steps up to `step` stopping would lose: those since the last checkpoint, or
  /// since the run began.
  std::int64_t unsaved_steps(std::int64_t step) const {
    const std::int64_t begun = begun_at_;
    const bool none = !running_ || begun < 0;
    return none ? 0 : std::max(step - std::max(last_saved_step_, begun), std::int64_t{0});
  }

 signals:
  void state_changed();
  /// The run has a folder; again if it moves.
  void begun(const QString& run_id, const QString& folder);
  /// At most about 30 a second for each phase; the first and last are always sent.
  void progressed(RunPhase phase, qint64 done, qint64 total);
  void logged(const QVector<LogLine>& lines);
  void planned(const PlanReport& report);
  /// Layer statistics. While the window is blocked, as many are queued as it keeps of a run; the
  /// log reports those that did not fit, and the database has them.
  void health_measured(const HealthRecord& record);
  void non_finite_found(const NonFiniteReport& report);
  /// The validation loss.
  void validated(const ValidationRecord& record);
  /// The rates of several processes.
  void rated(const RunRates& rates);
  /// A pause began; one for want of disk space is over.
  void paused(const PauseRecord& pause);
  /// The run's live settings changed, by whose request ever.
  void settings_changed(const Preset& preset);
  void sampled(const SampleRecord& sample);
  void saved(const QString& path, qint64 step);
  /// The run is paused until there is room: request_retry, request_folder or request_stop.
  void disk_full(const FullDisk& full);
  void ended(const RunEnd& end);
  void checked(const PlanReport& report);
  void check_failed(const RunEnd& end);
  void rendered(const SampleRequest& request);
  /// Such as a negative prompt without effect.
  void render_warned(const Message& warning);
  /// Also when it was cancelled: the kind is then `interrupted`.
  void render_failed(const RunEnd& end);
  /// `preset`: what was probed.
  void probed(const ProbeReport& report, const Preset& preset);
  /// `preset`: what was solved for. A failure is a probe's.
  void solved(const PrecisionFront& front, const Preset& preset);
  /// Also when it was cancelled: the kind is then `interrupted`.
  void probe_failed(const RunEnd& end);
  /// `preset`: what was tested.
  void rates_tested(const RateTest& test, const Preset& preset);
  /// Also when it was cancelled: the kind is then `interrupted`.
  void rate_test_failed(const RunEnd& end);
  void verified(const VerifyReport& report);
  /// Also when it was cancelled: the kind is then `interrupted`.
  void verify_failed(const RunEnd& end);

  // From the engine's thread to this object.
  void relay_state(RunState state);
  void relay_settings(const Preset& preset);
  void relay_ended(const RunEnd& end);
  void relay_saved(const QString& path, qint64 step);
  void relay_disk_full(const FullDisk& full);

 private:
  class Relay;
  class TaskObserver;
  /// What the engine's thread does besides runs.
  enum class Task { none, check, render, probe, test_rates, verify };
  /// On the engine's thread; in a process of its own; in one that was started before.
  enum class Where { here, apart, attached };
  /// Does the work; returns what to tell on this object's thread.
  using Work = std::function<std::function<void()>()>;
  /// False while busy.
  bool begin_task(Task task, Work work, void (EngineClient::*failed)(const RunEnd&));
  void end_task();
  /// The thread of the task in progress.
  std::jthread& task_thread() { return beside_run_ ? side_thread_ : thread_; }
  /// The current exception as a RunEnd.
  static RunEnd end_of_exception();
  bool begin(const JobSpec& job, Runner runner, Where where);
  void on_state(RunState state);
  void on_ended(RunEnd end);
  void launch(std::function<void()> work);

  /// A run that starts once the task in progress has given way.
  struct Waiting {
    JobSpec job;
    Runner runner;
    Where where = Where::here;
  };

  Runner runner_, apart_runner_;
  Planner planner_;
  std::unique_ptr<StepRing> ring_;
  std::unique_ptr<RunControl> control_;
  std::unique_ptr<Relay> relay_;
  JobSpec job_;
  std::optional<Waiting> waiting_;
  RunState state_ = RunState::idle;
  SampleRunner sample_runner_;
  Prober prober_;
  Solver solver_;
  RateTester rate_tester_;
  Verifier verifier_;
  Task task_ = Task::none;
  bool running_ = false;
  Where where_ = Where::here;  ///< the run is trained
  bool beside_run_ = false;    ///< the task runs while a run is paused
  std::atomic<bool> task_cancelled_{false};
  bool pause_asked_ = false, waits_for_disk_ = false;
  RunControl::Stop stop_asked_ = RunControl::Stop::none;
  std::chrono::steady_clock::time_point asked_at_{};
  QString last_saved_;
  std::int64_t last_saved_step_ = 0;
  std::atomic<std::int64_t> begun_at_{-1};  ///< the step before the first one; -1: none yet
  std::atomic<std::int64_t> last_step_{0};  ///< taken by this run; 0: none yet
  std::atomic<double> last_loss_{0};        ///< of that step
  // Last: joined before anything they use is destroyed.
  std::jthread thread_, side_thread_;
};

}  // namespace mantissa::gui
