#include "engine/cli/run_record.h"

#include <cmath>
#include <filesystem>
#include <vector>

#include "engine/cli/option_values.h"
#include "engine/cli/text.h"
#include "engine/core/error.h"
#include "engine/core/paths.h"
#include "engine/core/printable.h"
#include "engine/io/program_folder.h"
#include "engine/preset/preset_io.h"
#include "engine/run/run_beginning.h"
#include "engine/run/run_folder.h"

namespace mantissa {

RunRow find_run(RunReader& reader, const std::string& name) {
  std::error_code error;
  const std::filesystem::path folder = path_from_utf8(name);
  const bool is_folder = std::filesystem::is_regular_file(folder / "job.json", error) ||
                         program_folder(folder) == ProgramFolder::run;  // a checkpoint has its job
  const std::string id = is_folder ? RunFolder::open(folder).id() : name;
  if (auto run = reader.run(id)) {
    return *std::move(run);
  }
  if (is_folder) {
    throw Error(
        message<"{folder}: the database of runs doesn't know this run, {id}: it was trained "
                "with another data folder (MANTISSA_HOME), or its record was deleted. "
                "Resuming it records it here">(printable(name), id));
  }
  refuse_several(reader, name);
  std::vector<std::string> ids;
  for (const RunSummary& run : reader.summaries()) {
    ids.push_back(run.id);
  }
  throw Error(
      message<"{run}: no such run; `mantissa runs list` shows the ids, of which a unique beginning "
              "is enough{near}">(printable(name), did_you_mean(name, ids)));
}

std::string state_text(const RunRow& run) {
  return current_state(run.state, run.lock);
}

nlohmann::ordered_json run_event(const RunRow& r) {
  return {{"event", "run"},          {"id", r.id},
          {"name", r.name},          {"state", state_text(r)},
          {"created", r.created},    {"finished", r.finished},
          {"base", r.base},          {"folder", r.out},
          {"seed", r.seed},          {"steps", r.steps},
          {"last_loss", r.last_loss}};
}

std::string loss_text(double loss) {
  return std::isnan(loss) ? "-" : number_text(loss);
}

std::optional<Preset> frozen_preset(const RunRow& run) {
  try {
    return parse_preset(run.preset_json, run.id);
  } catch (const Error&) {
    return std::nullopt;
  }
}

}  // namespace mantissa
