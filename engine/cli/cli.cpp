#include "engine/cli/cli.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fmt/format.h>
#include <iostream>
#include <new>
#include <system_error>

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
#include "engine/plan/device_error.h"
#include "engine/preset/preset_text.h"
#include "engine/preset/schema.h"
#include "kernels/check.h"

namespace mantissa {
namespace {

constexpr std::array<std::string_view, 4> kLevels{"debug", "info", "warning", "error"};
constexpr int kInternalError = 1;
constexpr int kRankLostStatus = 8;

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

/// For system errors only the reason is shown, in one form: the original texts name functions.
int tell_file_error(const CommandSession& session, const std::filesystem::filesystem_error& e) {
  const bool full = e.code() == std::errc::no_space_on_device;
  return tell(session, exit_code(full ? ErrorKind::out_of_disk : ErrorKind::input), "",
              fmt::format("'{}': {}; check the path and its permissions", shortened_path(e.path1()),
                          e.code().message()));
}

int tell_system_error(const CommandSession& session, const std::system_error& e) {
  const bool threads = e.code() == std::errc::resource_unavailable_try_again;
  return tell(session, exit_code(threads ? ErrorKind::out_of_memory : ErrorKind::input), "",
              threads ? "the system refuses another thread; raise the limit of processes or of "
                        "memory (ulimit -u, ulimit -v), or close other programs"
                      : fmt::format("the system reports: {}", e.code().message()));
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
  } catch (const ProblemList& e) {
    return tell(session, exit_code(e.kind()), e.id(), e.what(), true);
  } catch (const RankLost& e) {
    return tell(session, kRankLostStatus, "", e.what());
  } catch (const Error& e) {
    return tell(session, exit_code(e.kind()), e.id(), e.what());
  } catch (const OutOfDeviceMemory& e) {
    return tell(
        session, exit_code(ErrorKind::out_of_memory), "",
        e.what() + std::string(". Close other programs that use the card, or lower the batch size "
                               "or the resolution"));
  } catch (const RunDeviceLost& e) {
    return tell(session, kDeviceLostStatus, "", e.what());
  } catch (const DeviceLost& e) {
    return tell(session, kDeviceLostStatus, "",
                device_lost(message<"the card">(), message_of(e)).text());
  } catch (const std::bad_alloc&) {
    return tell(
        session, exit_code(ErrorKind::out_of_memory), "",
        "the machine refused more memory; lower data.batch_size or data.resolution, or turn "
        "training.gradient_checkpointing on");
  } catch (const std::filesystem::filesystem_error& e) {
    return tell_file_error(session, e);
  } catch (const std::system_error& e) {
    return tell_system_error(session, e);
  } catch (const std::exception& e) {
    return tell(session, kInternalError, "", fmt::format("internal error: {}", e.what()));
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
      ->check(one_of(kLevels))
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

int CommandSession::level() const {
  return static_cast<int>(std::find(kLevels.begin(), kLevels.end(), log_level) - kLevels.begin());
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
