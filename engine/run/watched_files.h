#pragma once

#include <string_view>
#include <utility>
#include <vector>

#include "engine/run/run_identity.h"

namespace mantissa {

/// The files that a run reads until its end, with the stamps that they had when it opened them.
class WatchedFiles {
 public:
  void watch(std::vector<ListedFile> files) { files_ = std::move(files); }
  /// Stops watching the files of a part, which the run has read for the last time.
  void forget(std::string_view part);
  /// Stores the files' hashes.
  void know(const RunIdentity& identity);
  /// Throws InputChanged naming a file that is no longer the one opened. A file of which only the
  /// change time differs is hashed again, or left to hash_files if its hash isn't known yet.
  void require_unchanged();

 private:
  std::vector<ListedFile> files_;
};

}  // namespace mantissa
