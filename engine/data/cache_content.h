#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace mantissa {

/// Cached encodings of one kind and base model.
struct CacheGroup {
  std::string kind;    ///< "text", "latents", "mask", or "damaged" for files that can't be read
  std::string base;    ///< path of the base model; empty in entries of the older form
  bool older = false;  ///< written by a version that stored everything in FP32
  std::int64_t entries = 0;
  std::uint64_t bytes = 0;
  std::int64_t newest_days = 0;  ///< since the one used last was used
  std::int64_t oldest_days = 0;  ///< since the one used least lately was used
};

/// What is in the cache directory `cache`, by kind and base; reads headers only.
std::vector<CacheGroup> list_cache(const std::filesystem::path& cache);

/// Entries to be pruned: those of which one of these is true. Damaged ones always are.
struct PruneChoice {
  bool all = false;
  bool older = false;                       ///< of the older form
  std::optional<std::int64_t> unused_days;  ///< unused for at least so many days
};
struct PrunedEntries {
  std::int64_t entries = 0;
  std::uint64_t bytes = 0;
};
/// Removes them. Throws Error if a run uses the cache (CachePruning), or naming a file that can't
/// be removed.
PrunedEntries prune_cache(const std::filesystem::path& cache, const PruneChoice& choice);

}  // namespace mantissa
