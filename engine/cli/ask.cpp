#include <algorithm>
#include <array>
#include <fmt/ranges.h>
#include <memory>
#include <string_view>
#include <vector>

#include "engine/cli/commands.h"
#include "engine/cli/job_options.h"
#include "engine/cli/json_observer.h"
#include "engine/cli/option_values.h"
#include "engine/core/error.h"
#include "engine/core/paths.h"
#include "engine/core/printable.h"
#include "engine/preset/preset_io.h"
#include "engine/preset/schema.h"
#include "engine/run/live_settings.h"
#include "engine/run/run_channel.h"
#include "engine/run/run_folder.h"
#include "engine/run/run_requests.h"

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
constexpr std::string_view kChange = "change";
constexpr std::array kRequests{
    Request{"pause", "it pauses after this step; its model stays loaded"},
    Request{"resume", "it continues"},
    Request{"save", "it writes a checkpoint after this step"},
    Request{"sample", "it renders its sample prompts after this step"},
    Request{kChange, "it trains with these settings after this step"},
    Request{"stop", "it saves and stops after this step"},
    Request{"discard", "it stops after this step without saving"},
};

/// What `set` changes of a run's settings in force. Throws Error naming what can't be changed while
/// a run trains.
std::vector<PresetChange> checked_changes(const Preset& running,
                                          const std::vector<std::string>& set) {
  Preset wanted = running;
  for (const std::string& assignment : set) {
    apply_set(wanted, assignment);
  }
  std::vector<PresetChange> changes = diff_presets(running, wanted);
  std::vector<std::string> fixed;
  for (const PresetChange& c : changes) {
    if (require_setting(c.key).change != Change::live) {
      fixed.push_back(c.key);
    }
  }
  if (!fixed.empty()) {
    throw Error(message<"{settings} can't change while a run trains; these settings can: {live}">(
        fmt::format("{}", fmt::join(fixed, ", ")),
        fmt::format("{}", fmt::join(live_settings(), ", "))));
  }
  return changes;
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
  nlohmann::ordered_json event{{"event", "asked"}, {"run", run.id()}, {"request", o.request}};
  const auto* asked = std::ranges::find(kRequests, o.request, &Request::name);
  std::string said = fmt::format("Run {}: {}\n", printable(run.id()), asked->then);
  if (o.request == kChange) {
    const std::vector<PresetChange> changes = checked_changes(run.frozen_job().preset, o.set);
    ask_run(run.path(), change_request(o.set));
    for (const PresetChange& c : changes) {
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
    session.out() << said << std::flush;
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
