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
/// Renders one picture with an adapter file; the real one is run_sample.
using SampleRunner = std::function<void(const SampleRequest&, RunObserver&)>;
using Planner = std::function<PlanReport(const JobSpec&)>;

struct LogLine {
  int level = 1;  ///< 0 debug, 1 info, 2 warning, 3 error
  Message text;
};

/// How a run came to its end.
struct RunEnd {
  enum class How { completed, stopped, failed } how = How::completed;
  RunResult result;  ///< of a completed run
  ErrorKind kind = ErrorKind::input;
  QString id;  ///< catalogue id of a refusing finding
  Message message;
  /// Of a run that was refused to go on: the parts that changed, or that it can only start over.
  std::vector<std::string> changed;
  bool start_over = false;
};

/// Owns the engine's thread. Steps go through a ring that the window drains; everything else comes
/// as signals on the window's thread. What the engine has not acknowledged is shown as pending,
/// never as done.
class EngineClient : public QObject {
  Q_OBJECT

 public:
  EngineClient(Runner runner, Planner planner, QObject* parent = nullptr);
  /// Asks a running job to save and stop, and waits for it.
  ~EngineClient() override;

  /// False when a job is running already.
  bool start(const JobSpec& job);
  /// Works out plan, memory and findings on the engine's thread; trains nothing. False while busy.
  bool check(const JobSpec& job);

  void set_sample_runner(SampleRunner runner) { sample_runner_ = std::move(runner); }
  /// Renders a picture on the engine's thread. False while busy.
  bool render(const SampleRequest& request);
  /// A run that is to start does this by itself.
  void cancel_render();
  bool is_rendering() const { return rendering_; }

  void request_pause();
  void request_resume();
  void request_stop(RunControl::Stop how);
  void request_save();
  void request_sample();
  /// Answers to a run that waits for room on a disk (see disk_full).
  void request_retry();
  void request_folder(const std::filesystem::path& folder);
  /// What of `preset` may change while the run goes on; job() then holds it.
  void request_settings(const Preset& preset);

  /// As the engine announced it.
  RunState state() const { return state_; }
  /// `state`, or pausing/stopping while a request waits for the engine.
  RunState shown_state() const;
  bool is_running() const { return running_; }
  bool is_checking() const { return checking_; }
  /// Seconds since a pause or stop was asked for and not yet acknowledged; 0 when none is.
  double waiting_seconds() const;
  const JobSpec& job() const { return job_; }
  StepRing& ring() { return *ring_; }
  /// The last checkpoint that this run told of.
  const QString& last_saved() const { return last_saved_; }
  std::int64_t last_saved_step() const { return last_saved_step_; }

 signals:
  void state_changed();
  /// At most about 30 a second for each phase; its first and last are always told.
  void progressed(RunPhase phase, qint64 done, qint64 total);
  void logged(const QVector<LogLine>& lines);
  void planned(const PlanReport& report);
  /// What live health saw. While the window stands still, as much waits as it keeps of a run; the
  /// log tells of what did not fit, and the database has it.
  void health_measured(const HealthRecord& record);
  void non_finite_found(const NonFiniteReport& report);
  /// The loss on held-out pictures.
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
  // Last: joined before anything that it uses goes away.
  std::jthread thread_;
};

}  // namespace mantissa::gui
