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

/// SHA-256 of file contents, computed once and cached by the files' stamps. SHA-256 because model
/// sites and `sha256sum` print it and processors compute it faster than disks read
/// (resources/docs/reference/identity.md has what is hashed when).
///
/// A stamp identifies content only if any later write changes it. A file written within kSettled
/// before hashing began could be rewritten with the same time stamp, so its hash isn't cached. An
/// entry that is damaged or can't be written only costs time.
class ContentHashes {
 public:
  /// The coarsest time stamps in use are FAT's, of two seconds.
  static constexpr std::int64_t kSettledNs = 2'000'000'000;

  /// `folder` holds the cache, one small file per entry, so that processes can share it.
  explicit ContentHashes(std::filesystem::path folder);
  /// This user's cache, in the cache directory.
  static ContentHashes shared();

  /// SHA-256 of the whole file, 64 hex digits. Progress: phase "hashing", in MiB. Throws Error
  /// naming the file if it can't be read or changes meanwhile.
  std::string of_file(const std::filesystem::path& path, const Progress& progress = {}) const;

  /// The result of `compute`, which depends on `files` and `what` alone. Throws Error if one of the
  /// files changes meanwhile.
  std::string remember(std::string_view what, std::span<const std::filesystem::path> files,
                       const std::function<std::string()>& compute) const;

 private:
  std::filesystem::path folder_;
};

}  // namespace mantissa
