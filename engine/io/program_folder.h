#pragma once

#include <filesystem>

namespace mantissa {

/// What the program itself wrote: nothing in it is data to train on.
enum class ProgramFolder {
  none,
  run,   ///< a run's, by its job.json, also a damaged one, or its lock
  cache  ///< the cache, by its folders of tensors and hashes
};

/// What a folder is, also inside one that is searched for images.
ProgramFolder program_folder(const std::filesystem::path& folder);

/// Whether an entry of a run's folder is the run's own: samples, checkpoints, results, records. A
/// user's images may lie beside them.
bool is_runs_own(const std::filesystem::path& entry);

}  // namespace mantissa
