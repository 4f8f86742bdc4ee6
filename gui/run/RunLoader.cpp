#include "gui/run/RunLoader.h"

#include <QFileInfo>

#include "engine/preset/preset_io.h"
#include "engine/run/run_folder.h"
#include "engine/store/reader.h"
#include "gui/base/Text.h"

namespace mantissa::gui {

LoadedRun load_run(const QString& run) {
  return load_run(runs_database(), run);
}

LoadedRun load_run(const std::filesystem::path& database, const QString& run) {
  const std::string id =
      QFileInfo(run).isDir() ? RunFolder::open(to_path(run)).id() : run.toStdString();
  RunReader reader(database);
  const std::optional<RunRow> row = reader.run(id);
  if (!row) {
    throw Error(
        message<"there is no run {run} in the runs database; `mantissa runs list` shows those that "
                "are.">(run.toStdString()));
  }
  LoadedRun out;
  out.id = to_qstring(row->id);
  out.state = to_qstring(current_state(row->state, row->lock));
  out.folder = to_path(to_qstring(row->out));
  out.preset = parse_preset(row->preset_json, "run " + row->id);
  out.steps = reader.metrics(row->id);
  out.validation = reader.validation(row->id);
  out.pauses = reader.pauses(row->id);
  out.rates = reader.last_rates(row->id);
  for (const SampleRow& s : reader.samples(row->id)) {
    out.samples.push_back({s.step, s.prompt_index, s.prompt, to_path(to_qstring(s.path))});
  }
  for (const CheckpointRow& c : reader.checkpoints(row->id)) {
    out.checkpoints.emplace_back(to_qstring(c.path), c.step);
  }
  for (const EventRow& e : reader.events(row->id)) {
    out.log.push_back({e.level, e.message, e.time});
    out.last_event = e.id;
  }
  return out;
}

}  // namespace mantissa::gui
