#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "engine/plan/job.h"
#include "engine/store/reader.h"
#include "engine/store/store.h"

namespace mantissa {

/// The folder of the run that a checkpoint, or a file in one, belongs to; a run's folder is its
/// own. The path itself if it is in none. The job.json of a checkpoint is a copy and makes it no
/// run.
std::filesystem::path run_of_checkpoint(const std::filesystem::path& checkpoint);

/// The id of the run that a path belongs to: its folder, also one that it moved away from, or a
/// checkpoint of it. Empty if there is none, or its job can't be read.
std::string run_id_of(const std::filesystem::path& path);

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

/// What resuming the run in a folder would do.
struct ResumePoint {
  enum class Way {
    checkpoint,  ///< continues from the checkpoint of `step`
    start_over,  ///< there is none: begins at step 0
    refused      ///< there are some, but none is intact
  };
  Way way = Way::start_over;
  std::int64_t step = 0;
};

/// Verifies the run's checkpoints, the newest first, until one is intact: as the run would.
ResumePoint find_resume_point(const std::filesystem::path& folder);

/// Whether the run in a folder has saved a checkpoint, intact or not: quick.
bool has_checkpoint(const std::filesystem::path& folder);

/// A job that continues a run, with the files that the run was started with.
JobSpec with_its_own_files(JobSpec job);

}  // namespace mantissa
