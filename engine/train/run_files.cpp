#include "engine/train/run_files.h"

#include <set>

#include "engine/core/paths.h"

namespace mantissa {
namespace fs = std::filesystem;

fs::path run_of_checkpoint(const fs::path& checkpoint) {
  std::error_code none;
  fs::path folder = checkpoint;
  // A checkpoint is two levels below its run, its files three.
  for (int i = 0; i < 4 && !folder.empty(); ++i) {
    if (fs::exists(folder / "job.json", none)) {
      return folder;
    }
    folder = folder.parent_path();
  }
  return checkpoint;
}

bool is_kept_among(const fs::path& folder, const fs::path& runs) {
  std::error_code none;
  const fs::path place = fs::canonical(folder, none);
  const fs::path root = fs::canonical(runs, none);
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

JobSpec with_its_own_files(JobSpec job) {
  job.base.clear();
  for (const auto folders : {&JobSpec::images, &JobSpec::prior, &JobSpec::validation}) {
    (job.*folders).clear();
  }
  return job;
}

}  // namespace mantissa
