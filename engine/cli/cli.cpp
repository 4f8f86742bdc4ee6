#include "engine/cli/cli.h"

#include <algorithm>
#include <array>
#include <exception>
#include <fmt/format.h>
#include <iostream>

#include "engine/cli/commands.h"
#include "engine/cli/help_text.h"
#include "engine/cli/json_observer.h"
#include "engine/cli/option_values.h"
#include "engine/cli/output.h"
#include "engine/cli/signal.h"
#include "engine/cli/style.h"
#include "engine/cli/terminal.h"
#include "engine/cli/usage.h"
#include "engine/cli/version.h"
#include "engine/core/error.h"
#include "engine/core/printable.h"
#include "engine/io/mapped_file.h"
#include "engine/preset/schema.h"
#include "engine/run/run_failure.h"

namespace mantissa {
namespace {

/// Prints the error once as text and, with --json, once as an event. Lists of problems keep their
/// lines.
int tell(const CommandSession& session, int status, const std::string& id,
         const std::string& message, bool is_list = false) {
  if (!session.speaks()) {
    return status;
  }
  if (session.json) {
    write_event(session.out(), error_event(status, id, message));
  }
  if (session.told != message) {
    // A finding's message already begins with its id, as in the catalogue.
    const bool named = id.empty() || message.compare(0, id.size(), id) == 0;
    session.err() << Styled{Style::bad, "mantissa:"} << ' ' << (named ? "" : id + ": ")
                  << (is_list ? message : printable(message)) << std::endl;
  }
  return status;
}

/// A failed mapped file takes precedence over any other error, and over success.
int act(const Action& action) {
  try {
    const int status = action();
    require_intact_files();
    return status;
  } catch (...) {
    require_intact_files();
    throw;
  }
}

int perform(const CommandSession& session, const Action& action) {
  try {
    return act(action);
  } catch (...) {
    const RunFailure failure = classify(std::current_exception());
    return tell(session, exit_code(failure.kind), failure.id, failure.message.text(),
                failure.lines);
  }
}

/// The help lists the newest command under `section`.
void name_section(CLI::App& app, std::string_view section) {
  const std::vector<CLI::App*> commands = app.get_subcommands([](const CLI::App*) { return true; });
  commands.back()->group(std::string(section));
}

std::vector<std::string> command_path(const CLI::App& app) {
  std::vector<std::string> path;
  for (const CLI::App* at = &app; !at->get_subcommands().empty();) {
    at = at->get_subcommands().front();
    path.push_back(at->get_name());
  }
  return path;
}

int run_command(const std::vector<std::string>& args, const CliContext& context) {
  CommandSession session{context};
  Action action;
  CLI::App app("Train adapters for diffusion models", "mantissa");
  app.set_version_flag("--version", version_text, "Print version, commit, compiler and libraries");
  app.add_flag("--json", session.json, "Print one JSON object a line; text for people to stderr");
  app.add_option("--log-level", session.log_level,
                 "Minimum level shown: debug, info, warning, error")
      ->check(one_of(kLogLevelNames))
      ->type_name("LEVEL");
  app.add_flag("--no-color", session.no_color, "No colours on a terminal");
  app.require_subcommand(1);
  app.fallthrough();
  for (const CommandRow& command : command_table()) {
    command.add(app, session, action);
    name_section(app, command.section);
  }
  const auto given = [&args](const char* flag) {
    return std::find(args.begin(), args.end(), flag) != args.end();
  };
  session.json = given("--json");  // for errors of parsing too
  if (given("--no-color")) {
    drop_colors(*context.out);
    drop_colors(*context.err);
  }
  try {
    require_utf8(args);
    if (const std::string problem = command_problem(app, args); !problem.empty()) {
      return tell(session, exit_code(ErrorKind::input), "", problem);
    }
    std::vector<std::string> reversed(args.rbegin(), args.rend());  // as the parser takes them
    app.parse(std::move(reversed));
    require_values(app);
  } catch (const Error& e) {
    session.json = given("--json");
    return tell(session, exit_code(e.kind()), "", e.what());
  } catch (const CLI::CallForHelp&) {
    const CommandInfo root = command_tree(app);
    print_command_help(*context.out, root, *find_command(root, command_path(app)));
    *context.out << std::flush;
    return 0;
  } catch (const CLI::CallForVersion& e) {
    *context.out << e.what() << std::endl;
    return 0;
  } catch (const CLI::ParseError& e) {
    session.json = given("--json");
    return tell(session, exit_code(ErrorKind::input), "", usage_message(app, e));
  }
  const int status = perform(session, action);
  if (context.handle_signals) {
    silence_interrupts();
  }
  // The launcher ends all at the first failure that it sees: that of the one that speaks.
  return !session.ranks || !session.ranks->leave() || session.speaks() ? status : 0;
}

}  // namespace

LogLevel CommandSession::level() const {
  return log_level_of(
      static_cast<int>(std::ranges::find(kLogLevelNames, log_level) - kLogLevelNames.begin()));
}

int run_cli(const std::vector<std::string>& args, const CliContext& context) {
  return delivered(*context.out, *context.err, run_command(args, context));
}

int run_cli(int argc, char** argv) {
  prepare_signals();
  CliContext context = process_context();
  const bool colors = colors_wanted();
  OutputBuffer out(*std::cout.rdbuf(),
                   {context.out_is_terminal, context.out_is_terminal && colors, terminal_columns});
  OutputBuffer err(*std::cerr.rdbuf(),
                   {context.err_is_terminal, context.err_is_terminal && colors, terminal_columns});
  std::ostream out_stream(&out), err_stream(&err);
  err_stream << std::unitbuf;
  context.out = &out_stream;
  context.err = &err_stream;
  return run_cli(utf8_arguments(argc, argv), context);
}

}  // namespace mantissa
