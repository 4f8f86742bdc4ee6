#pragma once

#include <cstdint>
#include <filesystem>

#ifndef _WIN32
struct stat;
#endif

namespace mantissa {

/// File metadata, available without reading the content. Every write advances `changed_ns`, even if
/// the modification time is reset afterwards.
struct FileStamp {
  std::uint64_t file = 0;  ///< inode
  std::uint64_t bytes = 0;
  std::int64_t modified_ns = 0, changed_ns = 0;  ///< since 1970; changed_ns 0: unavailable
  std::uint64_t device = 0;                      ///< file system
  bool operator==(const FileStamp&) const = default;

  /// Whether nothing but the change time differs: so do a renamed file, one with another mode, and
  /// one that was rewritten by someone who then reset its modification time.
  bool differs_in_change_time_only(const FileStamp& other) const;
};

/// Throws Error naming the file if it is missing or not a regular file.
FileStamp file_stamp(const std::filesystem::path& path);

#ifndef _WIN32
/// The stamp of an open file, from fstat(2).
FileStamp stamp_of(const struct stat& status);
#endif

/// Nanoseconds since 1970 by the clock that stamps files.
std::int64_t file_clock_ns();

}  // namespace mantissa
