#include "engine/cli/runner.h"

#include <cmath>
#include <limits>
#include <numeric>
#include <optional>

#include "engine/cli/json_observer.h"
#include "engine/cli/request_reader.h"
#include "engine/cli/signal.h"
#include "engine/core/error.h"
#include "engine/core/printable.h"
#include "engine/run/run_identity.h"
#include "engine/run/run_relay.h"
#include "engine/train/run_training.h"

namespace mantissa {
namespace {

/// Records data for the summary and forwards everything. If stdout becomes unwritable, nobody sees
/// the run any longer: it is saved and stopped.
class Recorder : public RunObserver {
 public:
  Recorder(RunObserver& next, RunRecord& record, CommandSession& session, RunControl& control)
      : next_(next), record_(record), session_(session), control_(control) {}
  void on_state(RunState state) override { next_.on_state(state); }
  void on_progress(RunPhase phase, std::int64_t done, std::int64_t total) override {
    next_.on_progress(phase, done, total);
    look_at_output();
  }
  void on_log(int level, const Message& line) override {
    next_.on_log(level, line);
    look_at_output();
  }
  void on_plan(const PlanReport& plan) override { next_.on_plan(plan); }
  void on_step(const StepRecord& step) override {
    if (!step.skipped) {
      record_.losses.push_back(step.loss);
    }
    next_.on_step(step);
    look_at_output();
  }
  void on_health(const HealthRecord& health) override { next_.on_health(health); }
  void on_validation(const ValidationRecord& record) override { next_.on_validation(record); }
  void on_rates(const RunRates& rates) override { next_.on_rates(rates); }
  void on_pause(const PauseRecord& pause) override { next_.on_pause(pause); }
  void on_non_finite(const NonFiniteReport& report) override { next_.on_non_finite(report); }
  void on_sample(const SampleRecord& sample) override {
    record_.samples.push_back(sample);
    next_.on_sample(sample);
  }
  void on_saved(const std::filesystem::path& path, std::int64_t step) override {
    next_.on_saved(path, step);
  }
  void on_disk_full(const FullDisk& full) override { next_.on_disk_full(full); }

 private:
  void look_at_output() {
    if (!stopped_ && !session_.out().good()) {
      stopped_ = true;
      session_.err() << "mantissa: standard output can't be written any more: saving and stopping"
                     << std::endl;
      control_.request_stop(RunControl::Stop::save);
    }
  }

  RunObserver& next_;
  RunRecord& record_;
  CommandSession& session_;
  RunControl& control_;
  bool stopped_ = false;
};

std::size_t tenth(std::size_t count) {
  return std::max<std::size_t>(count / 10, 1);
}

/// In this process, or with the others that run the same command.
RunResult train_job(CommandSession& session, const JobSpec& job, RunControl& control,
                    RunObserver& observer) {
  return session.ranks && !session.ranks->alone()
             ? run_training_on_ranks(job, control, observer, *session.ranks)
             : session.context.train(job, control, observer);
}

/// A process that doesn't speak: what stops it stops all.
RunRecord follow_job(CommandSession& session, const JobSpec& job) {
  RunRecord record;
  RunControl control;
  RunObserver silent;
  std::optional<InterruptGuard> guard;
  if (session.context.handle_signals) {
    guard.emplace([&] { control.request_stop(RunControl::Stop::save); });
  }
  record.result = train_job(session, job, control, silent);
  return record;
}

/// For a program that shows the run.
RunRecord relay_job(CommandSession& session, const JobSpec& job) {
  RunRecord record;
  RunControl control;
  RunRelay relay(session.out());
  Recorder recorder(relay, record, session, control);
  std::optional<InterruptGuard> guard;
  if (session.context.handle_signals) {
    guard.emplace([&] { control.request_stop(RunControl::Stop::save); });
  }
  const RequestReader requests(session.context, control);
  record.result = train_job(session, job, control, recorder);
  relay.ended(record.result);
  return record;
}

}  // namespace

double RunRecord::first_loss() const {
  if (losses.empty()) {
    return std::numeric_limits<double>::quiet_NaN();
  }
  const auto count = static_cast<std::ptrdiff_t>(tenth(losses.size()));
  return std::accumulate(losses.begin(), losses.begin() + count, 0.0) / static_cast<double>(count);
}

double RunRecord::last_loss() const {
  if (losses.empty()) {
    return std::numeric_limits<double>::quiet_NaN();
  }
  const auto count = static_cast<std::ptrdiff_t>(tenth(losses.size()));
  return std::accumulate(losses.end() - count, losses.end(), 0.0) / static_cast<double>(count);
}

RunRecord run_job(CommandSession& session, const JobSpec& job) {
  if (!session.speaks()) {
    return follow_job(session, job);
  }
  if (session.relays) {
    return relay_job(session, job);
  }
  TerminalObserver people(session, job.preset.training.steps);
  std::optional<JsonObserver> events;
  if (session.json) {
    events.emplace(session.out(), people);
  }
  RunRecord record;
  RunControl control;
  Recorder recorder(events ? static_cast<RunObserver&>(*events) : people, record, session, control);
  std::optional<InterruptGuard> guard;
  if (session.context.handle_signals) {
    guard.emplace([&] {
      people.note(3, "Stopping after this step and saving. Press Ctrl+C again to stop at once.");
      control.request_stop(RunControl::Stop::save);
    });
  }
  try {
    record.result = train_job(session, job, control, recorder);
  } catch (const ResumeRefused& e) {
    people.settle(e.what());
    throw Error(e.with_option());
  } catch (const Error& e) {
    if (people.settle(printable(e.what())) && session.people().good()) {
      session.told = e.what();
    }
    throw;
  }
  people.finish();
  return record;
}

}  // namespace mantissa
