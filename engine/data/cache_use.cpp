#include "engine/data/cache_use.h"

#include <chrono>
#include <string>
#include <system_error>
#include <thread>

#include "engine/core/error.h"
#include "engine/core/paths.h"
#include "engine/core/system.h"
#include "engine/io/file.h"

namespace mantissa {

namespace fs = std::filesystem;

namespace {

// A lock takes its folder too: each has a folder of its own.
fs::path users_of(const fs::path& cache) {
  return cache / "users";
}

fs::path lock_in(const fs::path& folder) {
  return folder / "lock";
}

fs::path pruning_of(const fs::path& cache) {
  return cache / "pruning";
}

/// Whether a process uses the cache. Removes the marks of those that are gone; a new one may be
/// about to be locked.
bool is_used(const fs::path& cache) {
  std::error_code none;
  bool used = false;
  for (const auto& user : fs::directory_iterator(users_of(cache), none)) {
    const auto made = fs::last_write_time(user.path(), none);
    if (RunLock::is_held(lock_in(user.path()))) {
      used = true;
    } else if (!none && fs::file_time_type::clock::now() - made > std::chrono::minutes(1)) {
      fs::remove_all(user.path(), none);
    }
  }
  return used;
}

}  // namespace

CacheUse::CacheUse(const fs::path& cache) {
  is_used(cache);               // killed runs leave their marks
  constexpr int kFailures = 3;  // another may remove the folder before it is locked
  for (int i = 0, failures = 0; !lock_; ++i) {
    mark_ = users_of(cache) / (std::to_string(process_id()) + "-" + std::to_string(i));
    try {
      make_folders(mark_);
      lock_ = RunLock::try_acquire(lock_in(mark_));
    } catch (const Error&) {
      if (++failures == kFailures) {
        mark_.clear();
        return;
      }
    }
  }
  // Marked first: who prunes from now on finds the mark.
  while (RunLock::is_held(lock_in(pruning_of(cache)))) {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
}

CacheUse::~CacheUse() {
  lock_.reset();
  if (!mark_.empty()) {
    std::error_code ignored;
    fs::remove_all(mark_, ignored);
  }
}

CachePruning::CachePruning(const fs::path& cache) {
  make_folders(pruning_of(cache));
  lock_ = RunLock::try_acquire(lock_in(pruning_of(cache)));
  if (!lock_) {
    throw Error(message<"{path}: another program prunes this cache now; wait for its end">(
        path_to_utf8(cache)));
  }
  if (is_used(cache)) {
    throw Error(message<"{path}: a run uses this cache now; prune it when the run has ended">(
        path_to_utf8(cache)));
  }
}

}  // namespace mantissa
