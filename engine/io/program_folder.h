#pragma once

#include <filesystem>
#include <string_view>

namespace mantissa {

/// What the program itself wrote: nothing in it is data to train on.
enum class ProgramFolder {
  none,
  run,   ///< a run's, by its job.json, also a damaged one, or its lock
  cache  ///< the cache, by its folders of tensors and hashes
};

/// What a folder is, also inside one that is searched for images.
ProgramFolder program_folder(const std::filesystem::path& folder);

/// Whether a run's folder holds a record or folder of the run's own by this name: "job.json",
/// "checkpoints".
bool is_run_entry(std::string_view name);
/// Whether the name is of what a run sets aside: "damaged-checkpoints-2", "job.damaged.json".
bool is_set_aside(std::string_view name);

/// Whether an entry of a run's folder is the run's own: samples, checkpoints, results, records. A
/// user's images may lie beside them.
bool is_runs_own(const std::filesystem::path& entry);

}  // namespace mantissa
