#pragma once

#include <cstdint>
#include <filesystem>

namespace mantissa {

/// What the system says of a file without its content being read. A write always moves `changed_ns`
/// on, also where the time of modification is put back afterwards.
struct FileStamp {
  std::uint64_t file = 0;  ///< inode
  std::uint64_t bytes = 0;
  std::int64_t modified_ns = 0, changed_ns = 0;  ///< since 1970; changed_ns 0: not known there
  bool operator==(const FileStamp&) const = default;
};

/// Throws Error naming the file when it is missing or no regular file.
FileStamp file_stamp(const std::filesystem::path& path);

/// Nanoseconds since 1970 by the clock that stamps files.
std::int64_t file_clock_ns();

}  // namespace mantissa
