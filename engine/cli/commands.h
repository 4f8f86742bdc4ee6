#pragma once
// One function per command.

#include <CLI/CLI.hpp>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

#include "engine/cli/context.h"
#include "engine/core/log_level.h"
#include "engine/notify/run_notice.h"
#include "engine/ranks/ranks.h"
#include "engine/run/run_launch.h"

namespace mantissa {

/// One invocation of the program: its global options.
struct CommandSession {
  explicit CommandSession(const CliContext& c) : context(c) {}
  const CliContext& context;
  bool json = false;
  bool no_color = false;
  bool relays = false;  ///< to a program that shows the run: see RunRelay
  std::string log_level = "info";
  std::string told;  ///< error already shown by the run's log
  /// To the program that started this one for a run; else null.
  std::unique_ptr<LaunchReport> launch;
  RunNotice ending;  ///< of a run: what is known of it so far
  /// Link between the processes that run a command together; else null.
  std::unique_ptr<Ranks> ranks;

  std::ostream& out() const { return *context.out; }
  std::ostream& err() const { return *context.err; }
  /// The stream for human-readable text: stderr with --json and --relay.
  std::ostream& people() const { return json || relays ? *context.err : *context.out; }
  bool people_is_terminal() const {
    return json || relays ? context.err_is_terminal : context.out_is_terminal;
  }
  LogLevel level() const;
  /// Whether this process reports for all.
  bool speaks() const { return !ranks || ranks->writes(); }
};

/// Runs the parsed command; returns the exit status.
using Action = std::function<int()>;

/// Parsing `command` sets `action` to run(session, *options).
template <typename Options>
void on_call(CLI::App& command, CommandSession& session, Action& action,
             std::shared_ptr<Options> options,
             int (*run)(CommandSession&, const std::type_identity_t<Options>&)) {
  command.callback([&session, &action, options, run] {
    action = [&session, options, run] { return run(session, *options); };
  });
}

/// Each adds its command to `app`; parsing sets `action` if it is called.
void add_train(CLI::App& app, CommandSession& session, Action& action);
void add_check(CLI::App& app, CommandSession& session, Action& action);
void add_probe(CLI::App& app, CommandSession& session, Action& action);
void add_lr_test(CLI::App& app, CommandSession& session, Action& action);
void add_sample(CLI::App& app, CommandSession& session, Action& action);
void add_presets(CLI::App& app, CommandSession& session, Action& action);
void add_runs(CLI::App& app, CommandSession& session, Action& action);
void add_ask(CLI::App& app, CommandSession& session, Action& action);
void add_inspect(CLI::App& app, CommandSession& session, Action& action);
void add_bench(CLI::App& app, CommandSession& session, Action& action);
void add_devices(CLI::App& app, CommandSession& session, Action& action);
void add_cuda(CLI::App& app, CommandSession& session, Action& action);
void add_caption(CLI::App& app, CommandSession& session, Action& action);
void add_merge(CLI::App& app, CommandSession& session, Action& action);
void add_convert(CLI::App& app, CommandSession& session, Action& action);
void add_resize(CLI::App& app, CommandSession& session, Action& action);
void add_extract(CLI::App& app, CommandSession& session, Action& action);
void add_quantise(CLI::App& app, CommandSession& session, Action& action);
void add_new(CLI::App& app, CommandSession& session, Action& action);
void add_base(CLI::App& app, CommandSession& session, Action& action);
void add_verify(CLI::App& app, CommandSession& session, Action& action);
void add_cache(CLI::App& app, CommandSession& session, Action& action);
void add_demo(CLI::App& app, CommandSession& session, Action& action);
void add_help(CLI::App& app, CommandSession& session, Action& action);
void add_completion(CLI::App& app, CommandSession& session, Action& action);

/// A command: the section of the help that lists it, and what adds it to the parser.
struct CommandRow {
  std::string_view section;
  void (*add)(CLI::App& app, CommandSession& session, Action& action);
};
/// Every command, in the order of the help; help, completion and the manual are derived from it.
std::span<const CommandRow> command_table();

}  // namespace mantissa
