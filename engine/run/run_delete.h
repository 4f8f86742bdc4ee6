#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "engine/store/store.h"

namespace mantissa {

struct DeletedRun {
  /// The run's folder: gone, or with these entries, which aren't the run's.
  std::filesystem::path folder;
  std::vector<std::filesystem::path> left;
  /// The folder lies elsewhere, by --out: it stays as it is.
  bool elsewhere = false;
};

/// Removes a run from the database and, if its folder is directly in `runs`, the folder's entries
/// that a run writes; nothing else, and nothing that links point to. Throws Error if the run is in
/// progress.
DeletedRun delete_run(RunStore& store, const RunRow& run, const std::filesystem::path& runs);

}  // namespace mantissa
