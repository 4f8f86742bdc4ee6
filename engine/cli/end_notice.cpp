#include "engine/cli/end_notice.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>

#include "engine/core/error.h"
#include "engine/core/paths.h"
#include "engine/core/printable.h"
#include "engine/core/system.h"
#include "engine/notify/end_command.h"
#include "engine/run/run_failure.h"
#include "engine/run/run_folder.h"
#include "engine/store/reader.h"

namespace mantissa {
namespace {

constexpr std::int64_t kLatestRuns = 20;

/// As runs record when they began.
std::int64_t now_in_milliseconds() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::milliseconds>(now).count();
}

void set_place(RunNotice& notice, const std::string& id, const std::string& folder) {
  notice.run_id = id;
  notice.folder = folder;
}

/// The steps that a run has by the database, and the loss of the last.
void set_steps(RunNotice& notice, RunReader& reader) {
  const std::optional<RunRow> row = reader.run(notice.run_id);
  if (row && notice.steps == 0) {  // else this process has told of later ones
    notice.steps = row->steps;
    notice.loss = row->last_loss;
  }
}

/// A run that ended without a result has told no place: it is the one to be continued, or the
/// newest that this process has begun.
void find_place(RunNotice& notice, const CommandSession& session, const std::string& resumed,
                std::int64_t started) {
  try {
    RunReader reader(session.context.runs_database());
    if (!resumed.empty()) {
      const RunFolder folder = RunFolder::open(path_from_utf8(resumed));
      set_place(notice, folder.id(), path_to_utf8(folder.path()));
      set_steps(notice, reader);
      return;
    }
    const std::vector<RunRow> runs = reader.list_runs({.limit = kLatestRuns});
    // A process id is used again: in a container, by each of its runs.
    const auto own = std::ranges::find_if(runs, [started](const RunRow& run) {
      return run.created >= started && run.process == process_id() && run.host == host_name();
    });
    if (own != runs.end()) {
      set_place(notice, own->id, own->out);
      set_steps(notice, reader);
    }
  } catch (const std::exception&) {  // it is told without its place
  }
}

}  // namespace

void add_end_options(CLI::App& command, EndOptions& options) {
  command
      .add_option("--notify", options.address,
                  "Post to this address when the run ends, fails or is refused: "
                  "https://ntfy.sh/TOPIC, ntfy:https://HOST/TOPIC for a server of your own, or any "
                  "other by http or https, which gets JSON. Without it, that of MANTISSA_NOTIFY")
      ->type_name("ADDRESS");
  command
      .add_option(
          "--on-end", options.command,
          "Run this command of the shell then, with MANTISSA_STATE (finished, stopped, "
          "failed, refused), MANTISSA_NAME, MANTISSA_RUN, MANTISSA_FOLDER, MANTISSA_RESULT, "
          "MANTISSA_STEPS, MANTISSA_LOSS and MANTISSA_MESSAGE in its environment")
      ->type_name("COMMAND");
}

EndNotice::EndNotice(CommandSession& session, const EndOptions& options)
    : session_(session), command_(options.command), started_(now_in_milliseconds()) {
  std::string address = options.address;
  if (const char* usual = std::getenv("MANTISSA_NOTIFY");
      address.empty() && !session.relays && usual != nullptr) {
    address = usual;
  }
  if (!address.empty()) {
    address_ = parse_notice_address(address);
  }
}

void EndNotice::finished(const RunResult& result) const {
  RunNotice& notice = session_.ending;
  notice.outcome = RunOutcome::finished;
  set_place(notice, result.run_id, path_to_utf8(result.folder));
  notice.adapter = path_to_utf8(result.adapter);
  notice.steps = result.steps;
  notice.loss = result.final_loss;
  tell();
}

void EndNotice::failed(const std::exception_ptr& why, const std::string& resumed) const {
  set_failure(session_.ending, classify(why));
  find_place(session_.ending, session_, resumed, started_);
  tell();
}

void EndNotice::tell() const {
  if (!session_.speaks()) {
    return;
  }
  const auto warn = [&](const Message& message) {
    session_.people() << "warning: " << printable(message.text()) << std::endl;
  };
  if (address_) {
    try {
      post_notice(*address_, session_.ending);
    } catch (const std::exception& e) {
      warn(message_of(e));
    }
  }
  if (!command_.empty()) {
    if (const Message problem = run_end_command(command_, session_.ending); !problem.empty()) {
      warn(problem);
    }
  }
}

}  // namespace mantissa
