#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/progress.h"
#include "engine/io/file_stamp.h"

namespace mantissa {

/// SHA-256 of what files hold, computed once and remembered by the files' stamps. SHA-256, because
/// it is what model sites and `sha256sum` print, and because processors compute it faster than
/// disks read (resources/docs/identity.md has the figures).
///
/// A stamp stands for a content only where a later write is sure to change it. A file written
/// within kSettled before its hash began could be written again under the same time stamp, so that
/// hash isn't remembered. An entry that is damaged or can't be written costs time, nothing else.
class ContentHashes {
 public:
  /// The coarsest time stamps in use are FAT's, of two seconds.
  static constexpr std::int64_t kSettledNs = 2'000'000'000;

  /// `folder` keeps what is remembered, one small file an entry, so that processes can share it.
  explicit ContentHashes(std::filesystem::path folder);
  /// The one of this user, in the cache directory.
  static ContentHashes shared();

  /// SHA-256 of the whole file, 64 hex digits. Progress: phase "hashing", in MiB. Throws Error
  /// naming the file when it can't be read, or changes while it is read.
  std::string of_file(const std::filesystem::path& path, const Progress& progress = {}) const;

  /// The result of `compute`, which depends on `files` and `what` alone. Throws Error where one of
  /// the files changes meanwhile.
  std::string remember(std::string_view what, std::span<const std::filesystem::path> files,
                       const std::function<std::string()>& compute) const;

 private:
  std::filesystem::path folder_;
};

}  // namespace mantissa
