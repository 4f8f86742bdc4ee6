#include <algorithm>
#include <array>
#include <memory>
#include <string_view>

#include "engine/cli/commands.h"
#include "engine/cli/json_observer.h"
#include "engine/cli/option_values.h"
#include "engine/core/paths.h"
#include "engine/core/printable.h"
#include "engine/run/run_channel.h"
#include "engine/run/run_folder.h"

namespace mantissa {
namespace {

struct AskOptions {
  std::string run, request;
};

/// What can be asked, and what a run does then.
struct Request {
  std::string_view name, then;
};
constexpr std::array kRequests{
    Request{"pause", "it pauses after this step; its model stays loaded"},
    Request{"resume", "it continues"},
    Request{"save", "it writes a checkpoint after this step"},
    Request{"sample", "it renders its sample prompts after this step"},
    Request{"stop", "it saves and stops after this step"},
    Request{"discard", "it stops after this step without saving"},
};

int ask(CommandSession& session, const AskOptions& o) {
  const RunFolder run = RunFolder::open(path_from_utf8(o.run));
  ask_run(run.path(), o.request);
  if (o.request == "resume") {
    ask_run(run.path(), "retry");  // it may wait for room on a disk
  }
  if (session.json) {
    write_event(session.out(), {{"event", "asked"}, {"run", run.id()}, {"request", o.request}});
    return 0;
  }
  const auto* asked = std::ranges::find(kRequests, o.request, &Request::name);
  session.out() << "Run " << printable(run.id()) << ": " << asked->then << std::endl;
  return 0;
}

}  // namespace

void add_ask(CLI::App& app, CommandSession& session, Action& action) {
  CLI::App* command = app.add_subcommand(
      "ask",
      "Pause, resume, save, sample or stop a run that any process trains\nThe run may have been "
      "started by another terminal or by the studio.");
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
          "pause and resume; save: a checkpoint now; sample: the sample prompts now; stop: "
          "save and stop; discard: stop without saving")
      ->type_name("REQUEST")
      ->required()
      ->check(one_of(names));
  command->callback(
      [&session, &action, o] { action = [&session, o] { return ask(session, *o); }; });
}

}  // namespace mantissa
