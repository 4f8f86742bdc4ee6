#include "engine/run/run_files.h"

#include <set>

#include "engine/core/error.h"
#include "engine/core/paths.h"
#include "engine/run/checkpoint.h"
#include "engine/run/run_folder.h"

namespace mantissa {
namespace fs = std::filesystem;
namespace {

/// Checkpoints of the folder that the run moved to, if it did; else of this one.
CheckpointFolder checkpoints_of(const fs::path& folder) {
  try {
    return CheckpointFolder(RunFolder::open(folder).checkpoints());
  } catch (const Error&) {
    return CheckpointFolder(folder / "checkpoints");  // resuming reports the problem
  }
}

}  // namespace

fs::path run_of_checkpoint(const fs::path& checkpoint) {
  std::error_code none;
  fs::path folder = checkpoint;
  // A checkpoint is two levels below its run, its files three.
  for (int i = 0; i < 4 && !folder.empty(); ++i) {
    const bool is_run = fs::is_directory(folder / "checkpoints", none) || !checkpoint_step(folder);
    if (is_run && fs::exists(folder / "job.json", none)) {
      return folder;
    }
    folder = folder.parent_path();
  }
  return checkpoint;
}

std::string run_id_of(const fs::path& path) {
  if (path.empty()) {
    return {};
  }
  try {
    return RunFolder::open(run_of_checkpoint(path)).id();
  } catch (const Error&) {
    return {};  // resuming reports the problem
  }
}

bool is_kept_among(const fs::path& folder, const fs::path& runs) {
  std::error_code none;
  const fs::path place = real_path(folder), root = real_path(runs);
  return !place.empty() && !root.empty() && place.parent_path() == root &&
         fs::exists(place / "job.json", none);
}

void settle_deleted_runs(RunStore& store, RunReader& reader, const fs::path& runs) {
  std::set<std::string> listed;
  for (const RunSummary& run : reader.summaries()) {
    listed.insert(run.id);
  }
  for (const RunSummary& run : reader.summaries(true)) {
    if (listed.contains(run.id)) {
      continue;
    }
    if (is_kept_among(path_from_utf8(run.out), runs)) {
      store.set_hidden(run.id, false);
    } else {
      store.delete_run(run.id);
    }
  }
}

bool can_continue(const std::string& state) {
  return is_final_state(state) && state != "finished";
}

fs::path adapter_path(const fs::path& folder, const std::string& name, OutputFormat format) {
  return folder / path_from_utf8(name + (format == OutputFormat::peft ? "" : ".safetensors"));
}

bool has_adapter(const fs::path& run, const Preset& preset) {
  std::error_code none;
  return !run.empty() && preset.training.method != TrainingMethod::full &&
         fs::exists(adapter_path(run, preset.output.name, preset.output.format), none);
}

ResumePoint find_resume_point(const fs::path& folder) {
  const CheckpointFolder checkpoints = checkpoints_of(folder);
  if (const auto newest = checkpoints.newest_valid([](const Message&) {})) {
    return {ResumePoint::Way::checkpoint, CheckpointFolder::load_state(*newest).step};
  }
  return {checkpoints.empty() ? ResumePoint::Way::start_over : ResumePoint::Way::refused, 0};
}

bool has_checkpoint(const fs::path& folder) {
  return !checkpoints_of(folder).empty();
}

JobSpec with_its_own_files(JobSpec job) {
  job.base.clear();
  for (const auto folders : {&JobSpec::images, &JobSpec::prior, &JobSpec::validation}) {
    (job.*folders).clear();
  }
  job.training_adapters.clear();
  return job;
}

}  // namespace mantissa
