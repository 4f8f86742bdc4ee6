#include "engine/cli/runner.h"

#include <cmath>
#include <limits>
#include <numeric>
#include <optional>

#include "engine/cli/json_observer.h"
#include "engine/cli/request_reader.h"
#include "engine/cli/signal.h"
#include "engine/cli/terminal_observer.h"
#include "engine/core/error.h"
#include "engine/core/printable.h"
#include "engine/run/forwarding_observer.h"
#include "engine/run/run_identity.h"
#include "engine/run/run_relay.h"
#include "engine/train/run_training.h"

namespace mantissa {
namespace {

/// Records data for the summary and forwards everything. If stdout becomes unwritable, the run is
/// saved and stopped.
class Recorder : public ForwardingObserver {
 public:
  Recorder(RunObserver& next, RunRecord& record, CommandSession& session, RunControl& control)
      : ForwardingObserver(next), record_(record), session_(session), control_(control) {}
  void on_begun(const std::string& run_id, const std::filesystem::path& folder) override {
    if (session_.launch) {
      session_.launch->begun(run_id, folder);
    }
    ForwardingObserver::on_begun(run_id, folder);
  }
  void on_progress(RunPhase phase, std::int64_t done, std::int64_t total) override {
    ForwardingObserver::on_progress(phase, done, total);
    check_output();
  }
  void on_log(LogLevel level, const Message& line) override {
    ForwardingObserver::on_log(level, line);
    check_output();
  }
  void on_step(const StepRecord& step) override {
    if (!begun_) {
      begun_ = true;
      record_.before = step.step - 1;
    }
    session_.ending.steps = step.step;
    if (!step.skipped) {
      session_.ending.loss = step.loss;
      record_.losses.push_back(step.loss);
    }
    ForwardingObserver::on_step(step);
    check_output();
  }
  void on_sample(const SampleRecord& sample) override {
    record_.samples.push_back(sample);
    ForwardingObserver::on_sample(sample);
  }

 private:
  void check_output() {
    if (!stopped_ && !session_.out().good()) {
      stopped_ = true;
      session_.err() << "mantissa: standard output can't be written any more: saving and stopping"
                     << std::endl;
      control_.request_stop(RunControl::Stop::save);
    }
  }

  RunRecord& record_;
  CommandSession& session_;
  RunControl& control_;
  bool stopped_ = false;
  bool begun_ = false;  ///< a step was taken
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

/// Trains in a process that doesn't report: what stops it stops all.
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
      people.note(LogLevel::error,
                  "Stopping after this step and saving. Press Ctrl+C again to stop at once.");
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
