#include <exception>
#include <memory>

#include "engine/cli/job_options.h"
#include "engine/cli/json_observer.h"
#include "engine/cli/runner.h"
#include "engine/cli/text.h"
#include "engine/core/printable.h"
#include "engine/run/run_relay.h"

namespace mantissa {
namespace {

/// Trains in all processes; each notifies the others if it fails.
RunRecord train_on_ranks(CommandSession& session, const JobOptions& options) {
  session.ranks = open_ranks();
  try {
    return run_job(session, make_job(session, options));
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
    throw;
  }
}

int train(CommandSession& session, const JobOptions& options) {
  const RunRecord record = train_or_tell(session, options);
  const RunResult& r = record.result;
  if (!session.speaks() || session.relays) {
    return 0;
  }
  if (session.json) {
    write_event(session.out(), done_event(r));
  }
  if (session.level() <= LogLevel::info) {
    std::ostream& out = session.people();
    out << "Done: " << r.steps << " steps";
    if (!record.losses.empty()) {
      out << ", loss " << number_text(record.first_loss()) << " -> "
          << number_text(record.last_loss()) << " (means of the first and the last tenth)";
    }
    out << '\n';
    if (!r.adapter.empty()) {
      out << "Written: " << printable_path(r.adapter) << '\n';
    }
    out << "Run: " << printable(r.run_id) << " in " << printable_path(r.folder) << std::endl;
  }
  return 0;
}

}  // namespace

void add_train(CLI::App& app, CommandSession& session, Action& action) {
  CLI::App* command = app.add_subcommand(
      "train",
      "Train an adapter\nmpirun -n N mantissa train PRESET ... shares the micro-steps of each step "
      "(training.gradient_accumulation) among N processes; the result is the same for any N.");
  const auto options = std::make_shared<JobOptions>();
  add_job_options(*command, *options, JobUse::train);
  command->add_flag("--relay", session.relays,
                    "For a program that shows the run: all its events on standard output, requests "
                    "from standard input, whose end saves and stops the run");
  command->callback([&session, &action, options] {
    action = [&session, options] { return train(session, *options); };
  });
}

}  // namespace mantissa
