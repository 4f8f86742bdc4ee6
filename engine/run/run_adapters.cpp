#include "engine/run/run_adapters.h"

#include <algorithm>
#include <fmt/format.h>
#include <optional>

#include "engine/core/error.h"
#include "engine/core/paths.h"
#include "engine/io/file.h"
#include "engine/preset/preset_io.h"
#include "engine/run/checkpoint.h"
#include "engine/run/job_file.h"
#include "engine/run/run_files.h"
#include "engine/run/run_folder.h"

namespace mantissa {
namespace fs = std::filesystem;
namespace {

/// By the run's settings, or by those of the time: name and format may change on resume.
fs::path adapter_in(const fs::path& checkpoint, const Preset& preset) {
  const auto named_by = [&checkpoint](const Preset::Output& output) {
    return adapter_path(checkpoint, checkpoint_result_name(output.name), output.format);
  };
  const fs::path file = named_by(preset.output);
  std::error_code none;
  if (fs::exists(file, none)) {
    return file;
  }
  try {
    const std::string label = path_to_utf8(checkpoint);
    return named_by(parse_preset(CheckpointFolder::load_state(checkpoint).preset, label).output);
  } catch (const Error&) {
    return file;  // of another program, or damaged
  }
}

}  // namespace

std::vector<RunAdapter> run_adapters(const fs::path& run, const Preset& preset) {
  std::vector<RunAdapter> found;
  if (run.empty() || preset.training.method == TrainingMethod::full) {
    return found;
  }
  std::error_code none;
  fs::path checkpoints = run / "checkpoints";
  try {
    checkpoints = RunFolder::open(run).checkpoints();  // it may have moved
  } catch (const Error&) {
    // Resuming reports the problem.
  }
  for (const fs::directory_entry& entry : fs::directory_iterator(checkpoints, none)) {
    const std::optional<std::int64_t> step = checkpoint_step(entry.path());
    if (const fs::path file = adapter_in(entry.path(), preset); step && fs::exists(file, none)) {
      found.push_back({*step, file});
    }
  }
  std::ranges::sort(found, {}, &RunAdapter::step);
  if (has_adapter(run, preset)) {
    found.push_back({-1, adapter_path(run, preset.output.name, preset.output.format)});
  }
  return found;
}

fs::path adapter_at(const fs::path& given) {
  std::error_code none;
  const fs::path path = given.has_filename() ? given : given.parent_path();  // "step-00000004/"
  const fs::path job = path / "job.json";
  if (!fs::exists(job, none)) {
    return path;
  }
  if (!checkpoint_step(path)) {
    const RunFolder run = RunFolder::open(path);
    const std::vector<RunAdapter> found = run_adapters(run.path(), run.frozen_job().preset);
    if (found.empty()) {
      throw Error(
          message<"{path}: the run has written no adapter that can be loaded">(path_to_utf8(path)));
    }
    return found.back().file;
  }
  const fs::path file =
      adapter_in(path, parse_job_file(read_text(job), path_to_utf8(job)).job.preset);
  if (!fs::exists(file, none)) {
    throw Error(
        message<"{path}: the checkpoint holds no adapter that can be loaded">(path_to_utf8(path)));
  }
  return file;
}

std::string checkpoint_label(const fs::path& path) {
  for (const fs::path& folder : {path, path.parent_path()}) {
    if (const auto step = checkpoint_step(folder)) {
      return fmt::format("step {}", *step);
    }
  }
  return path_to_utf8(path.stem());
}

}  // namespace mantissa
