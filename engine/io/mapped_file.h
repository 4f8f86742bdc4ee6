#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>

#include "engine/core/paths.h"
#include "engine/io/file_stamp.h"

namespace mantissa {

/// A whole file mapped for reading. While one exists, this process's AtomicFile refuses to replace
/// that file (unless it was opened with `guard` off, for reads that end at once). Throws Error
/// naming the file if it is missing, a folder, or can't be read.
///
/// A file that shrinks while it is mapped, or can't be read from disk, doesn't crash the program:
/// the missing bytes read as zeros, and require_intact throws. (On Windows a mapped file can't
/// shrink, and others can't change it at all while it is opened with `guard`.)
class MappedFile {
 public:
  explicit MappedFile(const std::filesystem::path& path, bool guard = true);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  const std::byte* data() const { return data_; }
  std::uint64_t size() const { return size_; }
  std::span<const std::byte> bytes() const { return {data_, static_cast<std::size_t>(size_)}; }
  const std::filesystem::path& path() const { return path_; }
  /// Throws Error naming the file if some of the bytes read were such zeros.
  void require_intact() const;

 private:
  std::filesystem::path path_;
  const std::byte* data_ = nullptr;
  std::uint64_t size_ = 0;
  std::intptr_t handle_ = -1;             ///< Windows: the open file
  std::uint64_t device_ = 0, inode_ = 0;  ///< elsewhere: identifies the file to the guard
  bool guarded_ = false;
  struct MappedRegion* region_ = nullptr;  ///< elsewhere: the fault handler's record
};

/// Throws Error naming a mapped file that shrank or could not be read: one still mapped, or closed
/// without an Error about it. Call it before keeping anything made from mapped bytes;
/// AtomicFile::commit does. Costs an atomic load if all is well.
void require_intact_files();

/// Calls `use` with the bytes of a file and returns its result. Throws as MappedFile does, also if
/// the file shrank meanwhile.
template <typename Use>
auto with_mapped(const std::filesystem::path& path, Use&& use) {
  const MappedFile file(path, false);
  try {
    auto result = use(file.bytes());
    file.require_intact();
    return result;
  } catch (...) {
    file.require_intact();  // the cause of the exception of `use`
    throw;
  }
}

/// Whether this process has the file mapped, with `guard`. Always false on Windows, where the
/// system checks.
bool is_mapped(const std::filesystem::path& path);

/// The stamp of a file that this process has mapped, with `guard`, as of the last mapping: what was
/// read is the file's content as long as that is its stamp. Empty if the path names no such file,
/// or meanwhile another one. On Windows, where a mapped file can't be changed, its stamp now.
std::optional<FileStamp> mapped_stamp(const std::filesystem::path& path);

}  // namespace mantissa
