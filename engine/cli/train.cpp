#include <exception>
#include <memory>

#include "engine/cli/end_notice.h"
#include "engine/cli/job_options.h"
#include "engine/cli/json_observer.h"
#include "engine/cli/runner.h"
#include "engine/cli/text.h"
#include "engine/core/paths.h"
#include "engine/core/printable.h"
#include "engine/run/run_name.h"
#include "engine/run/run_relay.h"

namespace mantissa {
namespace {

/// Trains in all processes; each notifies the others if it fails.
RunRecord train_on_ranks(CommandSession& session, const JobOptions& options) {
  session.ranks = open_ranks();
  try {
    const JobSpec job = make_job(session, options);
    session.ending.name = run_name(job.preset);
    return run_job(session, job);
  } catch (...) {
    session.ranks->fail(std::current_exception());
    throw;
  }
}

/// Trains; a program that shows the run learns why it failed.
RunRecord train_or_tell(CommandSession& session, const JobOptions& options) {
  try {
    return train_on_ranks(session, options);
  } catch (...) {
    if (session.relays && session.speaks()) {
      RunRelay(session.out()).failed(std::current_exception());
    }
    if (session.launch && session.speaks()) {
      session.launch->failed(std::current_exception());
    }
    throw;
  }
}

void tell_result(CommandSession& session, const RunRecord& record) {
  const RunResult& r = record.result;
  if (session.json) {
    write_event(session.out(), done_event(r));
  }
  if (session.level() <= LogLevel::info) {
    std::ostream& out = session.people();
    out << "Done: " << r.steps << " steps";
    if (!record.losses.empty()) {
      out << ", loss " << number_text(record.first_loss()) << " -> "
          << number_text(record.last_loss());
      if (record.before > 0) {  // of which the losses aren't known here
        out << " since step " << record.before
            << " (means of the first and the last tenth of the steps since then)";
      } else {
        out << " (means of the first and the last tenth)";
      }
    }
    out << '\n';
    if (!r.adapter.empty()) {
      out << "Written: " << printable_path(r.adapter) << '\n';
    }
    out << "Run: " << printable(r.run_id) << " in " << printable_path(r.folder) << std::endl;
  }
}

int train(CommandSession& session, const JobOptions& options, const EndOptions& end,
          const std::string& report) {
  if (!report.empty()) {
    session.launch = std::make_unique<LaunchReport>(path_from_utf8(report));
  }
  const EndNotice notice(session, end);
  session.ending.name = options.resume.empty() ? options.preset : options.resume;
  RunRecord record;
  try {
    record = train_or_tell(session, options);
  } catch (...) {
    notice.failed(std::current_exception(), options.resume);
    throw;
  }
  if (session.speaks() && !session.relays) {
    tell_result(session, record);
  }
  notice.finished(record.result);
  return 0;
}

}  // namespace

void add_train(CLI::App& app, CommandSession& session, Action& action) {
  CLI::App* command = app.add_subcommand(
      "train",
      "Train an adapter\n--device cuda:0,1 shares the micro-steps of each step "
      "(training.gradient_accumulation) among cards, mpirun -n N mantissa train PRESET ... among "
      "processes on several machines; the result is the same for any number.");
  const auto options = std::make_shared<JobOptions>();
  add_job_options(*command, *options, JobUse::train);
  const auto end = std::make_shared<EndOptions>();
  add_end_options(*command, *end);
  command->add_flag("--relay", session.relays,
                    "For a program that shows the run: all its events on standard output, requests "
                    "from standard input, whose end saves and stops the run");
  const auto report = std::make_shared<std::string>();
  command
      ->add_option("--report", *report,
                   "For a program that starts the run and may be closed before it ends: writes to "
                   "this file, once, the run's folder, or why it did not begin")
      ->type_name("FILE");
  command->callback([&session, &action, options, end, report] {
    action = [&session, options, end, report] { return train(session, *options, *end, *report); };
  });
}

}  // namespace mantissa
