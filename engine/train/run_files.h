#pragma once

#include <filesystem>
#include <string>

#include "engine/store/reader.h"
#include "engine/store/store.h"
#include "engine/train/run.h"

namespace mantissa {

/// The run that a checkpoint belongs to: the nearest folder from it upwards that holds job.json;
/// the checkpoint itself where there is none.
std::filesystem::path run_of_checkpoint(const std::filesystem::path& checkpoint);

/// Whether a run's folder lies directly in `runs`, whatever links lead there. Only such a folder is
/// the program's own to throw away.
bool is_kept_among(const std::filesystem::path& folder, const std::filesystem::path& runs);

/// Cleans up after deleted runs: one whose folder is back among the runs is listed again, the
/// others are removed from the database.
void settle_deleted_runs(RunStore& store, RunReader& reader, const std::filesystem::path& runs);

/// Whether a run in this state ended before it finished and can be continued.
bool can_continue(const std::string& state);

/// The adapter that a run leaves in `folder`: a file, or PEFT's folder.
std::filesystem::path adapter_path(const std::filesystem::path& folder, const std::string& name,
                                   OutputFormat format);

/// Whether the run left an adapter that can be loaded at another strength.
bool has_adapter(const std::filesystem::path& run, const Preset& preset);

/// A job that continues a run, with the files that the run was started with.
JobSpec with_its_own_files(JobSpec job);

}  // namespace mantissa
