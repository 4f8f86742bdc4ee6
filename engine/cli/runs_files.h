#pragma once
// What the commands on recorded runs share.

#include <nlohmann/json.hpp>
#include <string>

#include "engine/cli/commands.h"
#include "engine/store/reader.h"

namespace mantissa {

/// By id, id prefix, or the run's folder. Throws Error if there is none.
RunRow find_run(RunReader& reader, const std::string& name);
/// The state for display.
std::string state_text(const RunRow& run);
/// A run as an event.
nlohmann::ordered_json run_event(const RunRow& run);

/// runs export: all that is recorded of a run, as JSON.
void add_runs_export(CLI::App& runs, CommandSession& session, Action& action);
/// runs delete.
void add_runs_delete(CLI::App& runs, CommandSession& session, Action& action);

}  // namespace mantissa
