#include <algorithm>
#include <array>
#include <fmt/ranges.h>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "engine/cli/commands.h"
#include "engine/cli/job_options.h"
#include "engine/cli/json_observer.h"
#include "engine/cli/option_values.h"
#include "engine/core/error.h"
#include "engine/core/paths.h"
#include "engine/core/printable.h"
#include "engine/plan/run_length.h"
#include "engine/preset/preset_io.h"
#include "engine/preset/schema.h"
#include "engine/run/live_settings.h"
#include "engine/run/run_channel.h"
#include "engine/run/run_folder.h"
#include "engine/run/run_relay.h"
#include "engine/run/run_requests.h"
#include "engine/store/reader.h"

namespace mantissa {
namespace {

struct AskOptions {
  std::string run, request;
  std::vector<std::string> set;
};

/// What can be asked, and what a run does then.
struct Request {
  std::string_view name, then;
};
constexpr std::string_view kChange = "change", kSample = "sample";
constexpr std::array kRequests{
    Request{"pause", "it pauses after this step; its model stays loaded"},
    Request{"resume", "it continues"},
    Request{"save", "it writes a checkpoint after this step"},
    Request{kSample, "it renders its sample prompts after this step"},
    Request{kChange, "it trains with these settings after this step"},
    Request{"stop", "it saves and stops after this step"},
    Request{"discard", "it stops after this step without saving"},
};

/// A run's settings in force with those of `set`. Throws Error naming what can't be changed while a
/// run trains.
Preset checked_settings(const Preset& running, const std::vector<std::string>& set) {
  Preset wanted = running;
  for (const std::string& assignment : set) {
    apply_set(wanted, assignment);
  }
  std::vector<std::string> fixed;
  for (const PresetChange& c : diff_presets(running, wanted)) {
    if (require_setting(c.key).change != Change::live) {
      fixed.push_back(c.key);
    }
  }
  if (!fixed.empty()) {
    throw Error(message<"{settings} can't change while a run trains; these settings can: {live}">(
        fmt::format("{}", fmt::join(fixed, ", ")),
        fmt::format("{}", fmt::join(live_settings(), ", "))));
  }
  return wanted;
}

class PlannedLength : public RunObserver {
 public:
  void on_plan(const PlanReport& plan) override { length = plan.length; }
  RunLength length;
};

/// As the run's process planned; 0 if it hasn't.
std::int64_t planned_batches_per_epoch(const std::filesystem::path& run) {
  PlannedLength planned;
  RelayedRun relayed(planned);
  const std::optional<RunStatus> status = read_status(run);
  for (const std::string& line : status ? status->lines : std::vector<std::string>()) {
    try {
      relayed.take(line);
    } catch (const Error&) {
      continue;  // of another version
    }
  }
  return planned.length.batches_per_epoch;
}

struct ToldChange {
  std::vector<PresetChange> changes;  ///< as the run will have them
  std::string then;
};

/// What a run does that is asked to change. One that has more steps than it shall have ends.
ToldChange told_change(CommandSession& session, const RunFolder& run, const Preset& running,
                       const Preset& wanted) {
  const std::optional<RunRow> row = RunReader(session.context.runs_database()).run(run.id());
  const std::int64_t done = row ? row->steps : 0;
  const RunLength length = run_length(wanted, planned_batches_per_epoch(run.path()));
  const Preset stored = no_shorter_than(done, wanted, length);
  ToldChange told{diff_presets(running, stored), {}};
  if (length.steps > 0 && length.steps < done) {
    told.then = fmt::format(
        "it has {} steps already, more than the {} asked for: it ends {}", done, length.steps,
        wanted.training.epochs > 0 ? "with this epoch"
                                   : "after this step, whose number is then its length");
  }
  return told;
}

void require_fitting(const AskOptions& o) {
  if (o.request == kChange && o.set.empty()) {
    throw Error(message<"{request} needs the settings: --set KEY=VALUE, once for each">(o.request));
  }
  if (o.request != kChange && !o.set.empty()) {
    throw Error(
        message<"--set belongs to the request {change}, not to {request}">(kChange, o.request));
  }
}

int ask(CommandSession& session, const AskOptions& o) {
  require_fitting(o);
  const RunFolder run = RunFolder::open(path_from_utf8(o.run));
  if (o.request == kSample && run.frozen_job().preset.samples.prompts.empty()) {
    throw Error(
        message<"the run has no sample prompts, and takes none while it trains: stop it, and "
                "resume it with some in samples.prompts">());
  }
  nlohmann::ordered_json event{{"event", "asked"}, {"run", run.id()}, {"request", o.request}};
  const auto* asked = std::ranges::find(kRequests, o.request, &Request::name);
  std::string then(asked->then), said;
  if (o.request == kChange) {
    const Preset running = run.frozen_job().preset;
    const Preset wanted = checked_settings(running, o.set);
    const ToldChange told = told_change(session, run, running, wanted);
    ask_run(run.path(), change_request(o.set));
    then = told.then.empty() ? then : told.then;
    for (const PresetChange& c : told.changes) {
      event["changes"].push_back({{"key", c.key}, {"before", c.a}, {"after", c.b}});
      said += fmt::format("  {}: {} -> {}\n", c.key, c.a.dump(), c.b.dump());
    }
  } else {
    ask_run(run.path(), o.request);
  }
  if (o.request == "resume") {
    ask_run(run.path(), "retry");  // it may wait for room on a disk
  }
  if (session.json) {
    write_event(session.out(), event);
  } else {
    session.out() << fmt::format("Run {}: {}\n", printable(run.id()), then) << said << std::flush;
  }
  return 0;
}

}  // namespace

void add_ask(CLI::App& app, CommandSession& session, Action& action) {
  CLI::App* command = app.add_subcommand(
      "ask",
      "Pause, resume, save, sample, change or stop a run that any process trains\nThe run may have "
      "been started by another terminal or by the studio.");
  const auto o = std::make_shared<AskOptions>();
  command->add_option("RUN", o->run, "Id, the beginning of one, or folder")
      ->type_name("RUN")
      ->required();
  std::vector<std::string> names;
  for (const Request& request : kRequests) {
    names.emplace_back(request.name);
  }
  command
      ->add_option(
          "REQUEST", o->request,
          "pause and resume; save: a checkpoint now; sample: the sample prompts now; change: "
          "settings, as --set gives them; stop: save and stop; discard: stop without saving")
      ->type_name("REQUEST")
      ->required()
      ->check(one_of(names));
  add_set_option(*command, o->set);
  command->callback(
      [&session, &action, o] { action = [&session, o] { return ask(session, *o); }; });
}

}  // namespace mantissa
