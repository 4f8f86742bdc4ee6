#pragma once

#include <filesystem>
#include <optional>

#include "engine/io/run_lock.h"

namespace mantissa {

/// A mark, for other processes too, that encodings in the cache are in use: while it lives, nothing
/// is pruned.
class CacheUse {
 public:
  /// `cache`: the cache directory. Waits while it is pruned. A cache that can't be written can't be
  /// pruned either, and isn't marked.
  explicit CacheUse(const std::filesystem::path& cache);
  ~CacheUse();
  CacheUse(const CacheUse&) = delete;
  CacheUse& operator=(const CacheUse&) = delete;

 private:
  std::filesystem::path mark_;
  std::optional<RunLock> lock_;
};

/// Keeps the cache from being used while it is pruned.
class CachePruning {
 public:
  /// Throws Error if a run uses it, or another process prunes it.
  explicit CachePruning(const std::filesystem::path& cache);

 private:
  std::optional<RunLock> lock_;
};

}  // namespace mantissa
