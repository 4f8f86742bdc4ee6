#include "gui/engine/EngineClient.h"

#include <chrono>
#include <exception>
#include <utility>

#include "engine/run/live_settings.h"
#include "engine/run/run_files.h"
#include "gui/base/Text.h"
#include "gui/engine/HealthData.h"
#include "gui/engine/Mailbox.h"

namespace mantissa::gui {
namespace {

using Clock = std::chrono::steady_clock;

constexpr auto kProgressGap = std::chrono::milliseconds(33);
constexpr qsizetype kMaxWaitingLines = 2000;
// As many rows of layer statistics as the window keeps of a run; reports come a few at a time.
constexpr qsizetype kMaxWaitingRows = HealthData::kMaxRows, kMaxWaitingReports = 256;

}  // namespace

/// Runs on the engine's thread: puts steps into the ring buffer and posts the rest.
class EngineClient::Relay : public RunObserver {
 public:
  explicit Relay(EngineClient* client) : client_(client) {}

  void on_begun(const std::string& run_id, const std::filesystem::path& folder) override {
    emit client_->begun(to_qstring(run_id), path_text(folder));
  }
  void on_state(RunState state) override { emit client_->relay_state(state); }

  void on_progress(RunPhase phase, std::int64_t done, std::int64_t total) override {
    const auto now = Clock::now();
    if (phase == phase_ && done < total && now - last_progress_ < kProgressGap) {
      return;
    }
    phase_ = phase;
    last_progress_ = now;
    emit client_->progressed(phase, done, total);
  }

  void on_log(LogLevel level, const Message& line) override {
    if (lines_.put({level, line})) {
      post([this] { deliver_lines(); });
    }
  }

  void on_health(const HealthRecord& record) override {
    if (health_.put(record, static_cast<qsizetype>(record.rows.size()))) {
      post([this] { deliver_health(); });
    }
  }

  void on_non_finite(const NonFiniteReport& report) override {
    if (reports_.put(report)) {
      post([this] {
        for (const NonFiniteReport& r : reports_.take().first) {
          emit client_->non_finite_found(r);
        }
      });
    }
  }

  void on_plan(const PlanReport& report) override { emit client_->planned(report); }
  void on_settings(const Preset& preset) override { emit client_->relay_settings(preset); }
  void on_step(const StepRecord& record) override {
    std::int64_t none = -1;
    client_->begun_at_.compare_exchange_strong(none, record.step - 1);
    client_->last_step_ = record.step;
    client_->last_loss_ = record.loss;
    client_->ring_->push(record);
  }
  void on_validation(const ValidationRecord& record) override { emit client_->validated(record); }
  void on_rates(const RunRates& rates) override { emit client_->rated(rates); }
  void on_pause(const PauseRecord& pause) override { emit client_->paused(pause); }
  void on_sample(const SampleRecord& sample) override { emit client_->sampled(sample); }
  void on_saved(const std::filesystem::path& path, std::int64_t step) override {
    emit client_->relay_saved(path_text(path), step);
  }
  void on_disk_full(const FullDisk& full) override { emit client_->relay_disk_full(full); }

 private:
  void post(std::function<void()> deliver) {
    QMetaObject::invokeMethod(client_, std::move(deliver), Qt::QueuedConnection);
  }

  void deliver_lines() {
    auto [lines, lost] = lines_.take();
    if (lost > 0) {
      lines.push_back(
          {LogLevel::warning,
           message<"{count} lines are not shown here; see log.txt in the run folder.">(lost)});
    }
    emit client_->logged(lines);
  }

  void deliver_health() {
    const auto [records, lost] = health_.take();
    for (const HealthRecord& r : records) {
      emit client_->health_measured(r);
    }
    if (lost > 0) {
      emit client_->logged(
          {{LogLevel::warning,
            Message::verbatim(
                EngineClient::tr("%n record(s) of layer statistics were dropped because the "
                                 "window was busy; open the run from History to see them all.",
                                 nullptr, static_cast<int>(lost))
                    .toStdString())}});
    }
  }

  EngineClient* client_;
  std::optional<RunPhase> phase_;
  Clock::time_point last_progress_{};
  Mailbox<LogLine> lines_{kMaxWaitingLines};
  Mailbox<HealthRecord> health_{kMaxWaitingRows};
  Mailbox<NonFiniteReport> reports_{kMaxWaitingReports};
};

RunEnd EngineClient::end_of_exception() {
  RunEnd end;
  end.failure = classify(std::current_exception());
  end.how = end.failure.kind == ErrorKind::interrupted ? RunEnd::How::stopped : RunEnd::How::failed;
  return end;
}

EngineClient::EngineClient(Runner runner, Planner planner, QObject* parent)
    : QObject(parent),
      runner_(std::move(runner)),
      planner_(std::move(planner)),
      ring_(std::make_unique<StepRing>()),
      relay_(std::make_unique<Relay>(this)) {
  connect(this, &EngineClient::relay_state, this, &EngineClient::on_state, Qt::QueuedConnection);
  connect(this, &EngineClient::relay_ended, this, &EngineClient::on_ended, Qt::QueuedConnection);
  connect(
      this, &EngineClient::relay_saved, this,
      [this](const QString& path, qint64 step) {
        last_saved_ = path;
        last_saved_step_ = step;
        emit saved(path, step);
      },
      Qt::QueuedConnection);
  connect(
      this, &EngineClient::relay_settings, this,
      [this](const Preset& preset) {
        job_.preset = with_live_settings(job_.preset, preset);
        emit settings_changed(job_.preset);
        emit state_changed();
      },
      Qt::QueuedConnection);
  connect(
      this, &EngineClient::relay_disk_full, this,
      [this](const FullDisk& full) {
        // Pending requests wait with the run, and may be repeated.
        stop_asked_ = RunControl::Stop::none;
        pause_asked_ = false;
        waits_for_disk_ = true;
        emit state_changed();
        emit disk_full(full);
      },
      Qt::QueuedConnection);
}

EngineClient::~EngineClient() {
  if (control_) {
    control_->request_leave();
    if (where_ == Where::here) {
      control_->refuse_waits();  // nobody can answer any longer
      control_->request_stop(RunControl::Stop::save);
    }
  }
  task_cancelled_ = true;
  for (std::jthread* thread : {&side_thread_, &thread_}) {
    if (thread->joinable()) {
      thread->join();
    }
  }
}

void EngineClient::launch(std::function<void()> work) {
  thread_ = std::jthread(std::move(work));
}

bool EngineClient::start(const JobSpec& job) {
  return begin(job, runner_, Where::here);
}

bool EngineClient::begin(const JobSpec& job, Runner runner, Where where) {
  if (running_) {
    return false;
  }
  if (task_ != Task::none) {
    cancel_task();
    waiting_ = Waiting{job, std::move(runner), where};
    return true;
  }
  thread_ = std::jthread();
  job_ = job;
  control_ = std::make_unique<RunControl>();
  ring_->reset();
  running_ = true;
  where_ = where;
  waits_for_disk_ = pause_asked_ = false;
  stop_asked_ = RunControl::Stop::none;
  last_saved_.clear();
  last_saved_step_ = 0;
  begun_at_ = -1;
  last_step_ = 0;
  state_ = RunState::preparing;
  emit state_changed();
  launch([this, frozen = job, control = control_.get(), runner = std::move(runner)] {
    RunEnd end;
    try {
      end.result = runner(frozen, *control, *relay_);
      end.how = control->stop_requested() == RunControl::Stop::none ? RunEnd::How::completed
                                                                    : RunEnd::How::stopped;
    } catch (...) {
      end = end_of_exception();
    }
    emit relay_ended(end);
  });
  return true;
}

void EngineClient::on_state(RunState state) {
  if (!running_) {
    return;
  }
  state_ = state;
  if (state == RunState::paused) {
    pause_asked_ = false;
  } else if (std::exchange(waits_for_disk_, false) && stop_asked_ == RunControl::Stop::save) {
    control_->request_stop(stop_asked_);
  }
  emit state_changed();
}

void EngineClient::on_ended(RunEnd end) {
  if (end.result.folder.empty()) {
    const bool resumed = last_saved_.isEmpty() && end.how == RunEnd::How::stopped && job_.resume;
    end.result.folder = run_of_checkpoint(resumed ? *job_.resume : to_path(last_saved_));
  }
  if (end.how != RunEnd::How::completed) {
    end.result.steps = last_step_;
    end.result.final_loss = last_loss_;
  }
  // The thread has nothing left to do but return.
  thread_ = std::jthread();
  running_ = false;
  pause_asked_ = false;
  stop_asked_ = RunControl::Stop::none;
  state_ = end.how == RunEnd::How::failed ? RunState::failed : RunState::finished;
  emit state_changed();
  emit ended(end);
}

RunState EngineClient::shown_state() const {
  if (!running_) {
    return state_;
  }
  // The engine reports its last state shortly before its thread ends.
  const bool ending = state_ == RunState::finished || state_ == RunState::failed;
  if (ending || stop_asked_ != RunControl::Stop::none) {
    return RunState::stopping;
  }
  if (pause_asked_ && state_ == RunState::training) {
    return RunState::pausing;
  }
  return state_;
}

double EngineClient::waiting_seconds() const {
  const RunState shown = shown_state();
  if (shown != RunState::pausing && shown != RunState::stopping) {
    return 0;
  }
  return std::chrono::duration<double>(Clock::now() - asked_at_).count();
}

void EngineClient::request_pause() {
  if (running_ && state_ == RunState::training) {
    pause_asked_ = true;
    asked_at_ = Clock::now();
    control_->request_pause();
    emit state_changed();
  }
}

void EngineClient::request_resume() {
  if (running_) {
    cancel_task();  // a rendering beside the run gives way
    pause_asked_ = false;
    control_->request_resume();
    control_->request_retry();
    emit state_changed();
  }
}

void EngineClient::request_stop(RunControl::Stop how) {
  waiting_.reset();
  if (running_) {
    if (stop_asked_ == RunControl::Stop::none) {
      asked_at_ = Clock::now();
    }
    stop_asked_ = how;
    if (waits_for_disk_ && how == RunControl::Stop::save) {
      control_->request_retry();  // without space it keeps waiting: unsaved work is not given up
    } else {
      control_->request_stop(how);
    }
    emit state_changed();
  }
}

void EngineClient::request_save() {
  if (running_) {
    control_->request_save();
  }
}

void EngineClient::request_retry() {
  if (running_) {
    control_->request_retry();
  }
}

void EngineClient::request_folder(const std::filesystem::path& folder) {
  if (running_) {
    control_->request_folder(folder);
  }
}

void EngineClient::request_settings(const Preset& preset) {
  if (running_) {
    job_.preset = with_live_settings(job_.preset, preset);
    control_->request_settings(job_.preset);
    emit state_changed();
  }
}

void EngineClient::request_sample() {
  if (running_) {
    control_->request_sample();
  }
}

}  // namespace mantissa::gui
