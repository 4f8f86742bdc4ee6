#pragma once

#include <QObject>
#include <QString>
#include <QVector>
#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <thread>

#include "engine/core/error.h"
#include "engine/train/run.h"
#include "engine/train/sample.h"
#include "gui/engine/StepRing.h"

namespace mantissa::gui {

/// The engine as a function; the real one is run_training, tests pass a scripted one.
using Runner = std::function<RunResult(const JobSpec&, RunControl&, RunObserver&)>;
/// Renders one image with an adapter file; the real one is run_sample.
using SampleRunner = std::function<void(const SampleRequest&, RunObserver&)>;
using Planner = std::function<PlanReport(const JobSpec&)>;

struct LogLine {
  int level = 1;  ///< 0 debug, 1 info, 2 warning, 3 error
  Message text;
};

/// How a run ended.
struct RunEnd {
  enum class How { completed, stopped, failed } how = How::completed;
  RunResult result;  ///< of a completed run
  ErrorKind kind = ErrorKind::input;
  QString id;  ///< catalogue id of a refusing finding
  Message message;
  /// Of a run that can't be resumed: the changed parts, or that it can only start over.
  std::vector<std::string> changed;
  bool start_over = false;
};

/// Owns the engine's thread. Steps go through a ring buffer that the window drains; everything else
/// arrives as signals on the window's thread. Requests not yet acknowledged by the engine are shown
/// as pending.
class EngineClient : public QObject {
  Q_OBJECT

 public:
  EngineClient(Runner runner, Planner planner, QObject* parent = nullptr);
  /// Makes a running job save and stop, and waits for it.
  ~EngineClient() override;

  /// False when a job is running already.
  bool start(const JobSpec& job);
  /// Computes plan, memory and findings on the engine's thread; trains nothing. False while busy.
  bool check(const JobSpec& job);

  void set_sample_runner(SampleRunner runner) { sample_runner_ = std::move(runner); }
  /// Renders an image on the engine's thread. False while busy.
  bool render(const SampleRequest& request);
  /// Starting a run does this automatically.
  void cancel_render();
  bool is_rendering() const { return rendering_; }

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
  bool is_checking() const { return checking_; }
  /// Seconds since a pause or stop request that isn't yet acknowledged; 0 if none.
  double waiting_seconds() const;
  const JobSpec& job() const { return job_; }
  StepRing& ring() { return *ring_; }
  /// The last checkpoint reported by this run.
  const QString& last_saved() const { return last_saved_; }
  std::int64_t last_saved_step() const { return last_saved_step_; }

 signals:
  void state_changed();
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
  void sampled(const SampleRecord& sample);
  void saved(const QString& path, qint64 step);
  /// The run is paused until there is room: request_retry, request_folder or request_stop.
  void disk_full(const FullDisk& full);
  void ended(const RunEnd& end);
  void checked(const PlanReport& report);
  void check_failed(const RunEnd& end);
  void rendered(const SampleRequest& request);
  /// Also when it was cancelled: the kind is then `interrupted`.
  void render_failed(const RunEnd& end);

  // From the engine's thread to this object.
  void relay_state(RunState state);
  void relay_ended(const RunEnd& end);
  void relay_checked(const PlanReport& report);
  void relay_check_failed(const RunEnd& end);
  void relay_rendered(const SampleRequest& request);
  void relay_render_failed(const RunEnd& end);
  void relay_saved(const QString& path, qint64 step);
  void relay_disk_full(const FullDisk& full);

 private:
  class Relay;
  void on_state(RunState state);
  void on_ended(const RunEnd& end);
  void launch(std::function<void()> work);

  Runner runner_;
  Planner planner_;
  std::unique_ptr<StepRing> ring_;
  std::unique_ptr<RunControl> control_;
  std::unique_ptr<Relay> relay_;
  JobSpec job_;
  std::optional<JobSpec> waiting_job_;
  RunState state_ = RunState::idle;
  SampleRunner sample_runner_;
  bool running_ = false, checking_ = false, rendering_ = false;
  std::atomic<bool> render_cancelled_{false};
  bool pause_asked_ = false, waits_for_disk_ = false;
  RunControl::Stop stop_asked_ = RunControl::Stop::none;
  std::chrono::steady_clock::time_point asked_at_{};
  QString last_saved_;
  std::int64_t last_saved_step_ = 0;
  // Last: joined before anything it uses is destroyed.
  std::jthread thread_;
};

}  // namespace mantissa::gui
