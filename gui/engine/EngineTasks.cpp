// EngineClient: what the engine's thread does besides runs. Checks, renderings, probes, tests of
// learning rates and verifications.
#include <memory>
#include <utility>

#include "engine/core/error.h"
#include "gui/engine/EngineClient.h"

namespace mantissa::gui {

/// Passes progress on; a cancelled task ends at its next report.
class EngineClient::TaskObserver : public RunObserver {
 public:
  TaskObserver(EngineClient* client, Message cancelled, bool warns = false)
      : client_(client), cancelled_(std::move(cancelled)), warns_(warns) {}
  void on_progress(RunPhase phase, std::int64_t done, std::int64_t total) override {
    if (client_->task_cancelled_) {
      throw Error(ErrorKind::interrupted, cancelled_);
    }
    emit client_->progressed(phase, done, total);
  }
  void on_log(LogLevel level, const Message& line) override {
    if (warns_ && level == LogLevel::warning) {
      emit client_->render_warned(line);
    }
  }

 private:
  EngineClient* client_;
  Message cancelled_;
  bool warns_;  ///< its warnings are told
};

bool EngineClient::begin_task(Task task, Work work, void (EngineClient::*failed)(const RunEnd&)) {
  const bool beside = running_ && state_ == RunState::paused && task == Task::render;
  if (task_ != Task::none || (running_ && !beside)) {
    return false;
  }
  beside_run_ = beside;
  task_thread() = std::jthread();
  task_ = task;
  task_cancelled_ = false;
  emit state_changed();
  task_thread() = std::jthread([this, work = std::move(work), failed] {
    std::function<void()> tell;
    try {
      tell = work();
    } catch (...) {
      tell = [this, failed, end = end_of_exception()] { emit(this->*failed)(end); };
    }
    QMetaObject::invokeMethod(
        this,
        [this, tell = std::move(tell)] {
          tell();
          end_task();
        },
        Qt::QueuedConnection);
  });
  return true;
}

void EngineClient::end_task() {
  task_thread() = std::jthread();
  task_ = Task::none;
  emit state_changed();
  if (waiting_) {
    Waiting next = *std::exchange(waiting_, std::nullopt);
    begin(next.job, std::move(next.runner), next.where);
  }
}

void EngineClient::cancel_task() {
  task_cancelled_ = true;
}

bool EngineClient::check(const JobSpec& job) {
  const auto work = [this, job]() -> std::function<void()> {
    return [this, report = planner_(job)] { emit checked(report); };
  };
  return planner_ && begin_task(Task::check, work, &EngineClient::check_failed);
}

bool EngineClient::render(const SampleRequest& request) {
  const auto work = [this, request]() -> std::function<void()> {
    TaskObserver observer(this, message<"the rendering was cancelled.">(), true);
    sample_runner_(request, observer);
    return [this, request] { emit rendered(request); };
  };
  return sample_runner_ && begin_task(Task::render, work, &EngineClient::render_failed);
}

bool EngineClient::probe(const JobSpec& job, const ProbeOptions& options) {
  const auto work = [this, job, options]() -> std::function<void()> {
    TaskObserver observer(this, message<"stopped while probing; nothing was changed">());
    RunControl control;
    return [this, report = prober_(job, options, control, observer), preset = job.preset] {
      emit probed(report, preset);
    };
  };
  return prober_ && begin_task(Task::probe, work, &EngineClient::probe_failed);
}

bool EngineClient::solve(const JobSpec& job, std::int64_t steps) {
  const auto work = [this, job, steps]() -> std::function<void()> {
    TaskObserver observer(this, message<"stopped while probing; nothing was changed">());
    RunControl control;
    return [this, front = solver_(job, steps, control, observer), preset = job.preset] {
      emit solved(front, preset);
    };
  };
  return solver_ && begin_task(Task::probe, work, &EngineClient::probe_failed);
}

bool EngineClient::test_rates(const JobSpec& job, const RateTestOptions& options) {
  const auto work = [this, job, options]() -> std::function<void()> {
    TaskObserver observer(this, message<"stopped while probing; nothing was changed">());
    RunControl control;
    return [this, test = rate_tester_(job, options, control, observer), preset = job.preset] {
      emit rates_tested(test, preset);
    };
  };
  return rate_tester_ && begin_task(Task::test_rates, work, &EngineClient::rate_test_failed);
}

bool EngineClient::verify(const std::filesystem::path& folder) {
  const auto work = [this, folder]() -> std::function<void()> {
    TaskObserver observer(this, message<"stopped while verifying; the run is as it was">());
    RunControl control;
    return [this, report = verifier_(folder, control, observer)] { emit verified(report); };
  };
  return verifier_ && begin_task(Task::verify, work, &EngineClient::verify_failed);
}

}  // namespace mantissa::gui
