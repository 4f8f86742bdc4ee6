#pragma once

#include <atomic>
#include <future>
#include <vector>

#include "engine/run/run_identity.h"

namespace mantissa {

/// Hashes a run's files in a thread of its own. Destroying it cancels the rest.
class FileHashing {
 public:
  explicit FileHashing(std::vector<ListedFile> files);
  ~FileHashing();
  FileHashing(const FileHashing&) = delete;
  FileHashing& operator=(const FileHashing&) = delete;

  bool done() const;
  /// Waits. Throws Error as hash_files, every time.
  const RunIdentity& result() const { return result_.get(); }

 private:
  std::atomic<bool> cancelled_{false};
  std::shared_future<RunIdentity> result_;
};

}  // namespace mantissa
