#pragma once

#include <QString>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "engine/preset/preset.h"
#include "engine/run/run.h"
#include "gui/engine/EngineClient.h"

namespace mantissa::gui {

/// A run from the runs database, without its layer statistics: there may be millions of them
/// (RunLibrary::load_health).
struct LoadedRun {
  QString id, state;
  std::filesystem::path folder;
  Preset preset;
  std::vector<StepRecord> steps;
  std::vector<ValidationRecord> validation;
  std::vector<PauseRecord> pauses;
  std::optional<RunRates> rates;  ///< the last ones; none of a run by one process
  std::vector<SampleRecord> samples;
  std::vector<std::pair<QString, std::int64_t>> checkpoints;  ///< path, step
  QVector<LogLine> log;
  std::int64_t last_event = 0;  ///< id of the latest log line
};

/// Reads a run (by id, an id prefix, or its folder) from the runs database. Throws Error if there
/// is none.
LoadedRun load_run(const QString& run);
/// Loads a run from another database.
LoadedRun load_run(const std::filesystem::path& database, const QString& run);

}  // namespace mantissa::gui
