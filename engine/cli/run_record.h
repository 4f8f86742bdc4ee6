#pragma once
// What the commands on recorded runs share.

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "engine/cli/commands.h"
#include "engine/preset/preset.h"
#include "engine/store/reader.h"

namespace mantissa {

/// By id, id prefix, or the run's folder. Throws Error if there is none.
RunRow find_run(RunReader& reader, const std::string& name);
/// The state for display.
std::string state_text(const RunRow& run);
/// A run as an event.
nlohmann::ordered_json run_event(const RunRow& run);

/// A loss; "-" for NaN.
std::string loss_text(double loss);
/// The run's frozen preset; one that no longer parses is shown as text.
std::optional<Preset> frozen_preset(const RunRow& run);

/// runs show: a run's settings, validation, samples and events.
void add_runs_show(CLI::App& runs, CommandSession& session, Action& action);
/// runs export: all that is recorded of a run, as JSON.
void add_runs_export(CLI::App& runs, CommandSession& session, Action& action);
/// runs delete.
void add_runs_delete(CLI::App& runs, CommandSession& session, Action& action);

}  // namespace mantissa
