#pragma once
// One function a command.

#include <CLI/CLI.hpp>
#include <functional>
#include <string>

#include "engine/cli/context.h"

namespace mantissa {

/// One call of the program: what the options for every command said.
struct CommandSession {
  explicit CommandSession(const CliContext& c) : context(c) {}
  const CliContext& context;
  bool json = false;
  std::string log_level = "info";
  std::string told;  ///< error that the run's log has shown already

  std::ostream& out() const { return *context.out; }
  std::ostream& err() const { return *context.err; }
  /// Where text for people goes: beside --json, to the error stream.
  std::ostream& people() const { return json ? *context.err : *context.out; }
  bool people_is_terminal() const {
    return json ? context.err_is_terminal : context.out_is_terminal;
  }
  int level() const;
};

/// What the parsed command does; returns the exit status.
using Action = std::function<int()>;

/// Each adds its command to `app`; when that is the one called, parsing sets `action`.
void add_train(CLI::App& app, CommandSession& session, Action& action);
void add_check(CLI::App& app, CommandSession& session, Action& action);
void add_probe(CLI::App& app, CommandSession& session, Action& action);
void add_sample(CLI::App& app, CommandSession& session, Action& action);
void add_presets(CLI::App& app, CommandSession& session, Action& action);
void add_runs(CLI::App& app, CommandSession& session, Action& action);
void add_inspect(CLI::App& app, CommandSession& session, Action& action);
void add_bench(CLI::App& app, CommandSession& session, Action& action);
void add_devices(CLI::App& app, CommandSession& session, Action& action);
void add_merge(CLI::App& app, CommandSession& session, Action& action);
void add_convert(CLI::App& app, CommandSession& session, Action& action);
void add_resize(CLI::App& app, CommandSession& session, Action& action);
void add_extract(CLI::App& app, CommandSession& session, Action& action);
void add_new(CLI::App& app, CommandSession& session, Action& action);
void add_demo(CLI::App& app, CommandSession& session, Action& action);

}  // namespace mantissa
