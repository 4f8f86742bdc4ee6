#pragma once

#include <filesystem>
#include <string>

#include "engine/store/reader.h"
#include "engine/store/store.h"
#include "engine/train/run.h"

namespace mantissa {

/// The run that a checkpoint belongs to: the nearest parent folder with a job.json; the checkpoint
/// itself if there is none.
std::filesystem::path run_of_checkpoint(const std::filesystem::path& checkpoint);

/// Whether a run's folder is directly in `runs`, after resolving links. Only such a folder may be
/// deleted by the program.
bool is_kept_among(const std::filesystem::path& folder, const std::filesystem::path& runs);

/// Cleans up after deleted runs: one whose folder was restored is listed again, the others are
/// removed from the database.
void settle_deleted_runs(RunStore& store, RunReader& reader, const std::filesystem::path& runs);

/// Whether a run in this state ended before it finished and can be continued.
bool can_continue(const std::string& state);

/// The adapter that a run writes to `folder`: a file, or PEFT's folder.
std::filesystem::path adapter_path(const std::filesystem::path& folder, const std::string& name,
                                   OutputFormat format);

/// Whether the run left an adapter that can be loaded at another strength.
bool has_adapter(const std::filesystem::path& run, const Preset& preset);

/// A job that continues a run, with the files that the run was started with.
JobSpec with_its_own_files(JobSpec job);

}  // namespace mantissa
