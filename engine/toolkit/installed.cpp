#include "engine/toolkit/installed.h"

#include <optional>
#include <utility>
#include <vector>

#include "engine/core/error.h"
#include "engine/core/paths.h"
#include "engine/core/system_message.h"

namespace mantissa {
namespace {
namespace fs = std::filesystem;
using State = InstalledLibraries::State;

constexpr const char* kLock = "lock";

/// A library that is missing or has another size; empty if there is none.
std::string damaged_library(const LibraryTable& table, const fs::path& folder) {
  for (const LibraryWheel& wheel : table.wheels) {
    for (const auto& [path, bytes] : wheel.libraries) {
      std::error_code error;
      std::string name = library_name(path);
      if (fs::file_size(folder / path_from_utf8(name), error) != bytes || error) {
        return name;
      }
    }
  }
  return {};
}

std::vector<fs::path> entries(const fs::path& folder) {
  std::vector<fs::path> found;
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    found.push_back(at->path());
  }
  return found;
}

bool has_other_version(const fs::path& root) {
  for (const fs::path& entry : entries(root)) {
    std::error_code error;
    if (fs::is_directory(entry, error) && !entry.has_extension() &&
        entry.filename() != kDownloads) {
      return true;
    }
  }
  return false;
}

std::uint64_t bytes_below(const fs::path& folder) {
  std::uint64_t bytes = 0;
  std::error_code error;
  for (fs::recursive_directory_iterator at(folder, error), end; !error && at != end;
       at.increment(error)) {
    std::error_code unreadable;
    const std::uintmax_t size = at->is_regular_file(unreadable) ? at->file_size(unreadable) : 0;
    bytes += unreadable ? 0 : size;
  }
  return bytes;
}

}  // namespace

fs::path libraries_root() {
  return data_dir() / "cuda-libraries";
}

InstalledLibraries installed_libraries(const LibraryTable& table, const fs::path& root) {
  InstalledLibraries found{State::none, root / table.id()};
  std::error_code error;
  if (!fs::is_directory(found.folder, error)) {
    found.state = has_other_version(root) ? State::other_version : State::none;
    return found;
  }
  found.detail = damaged_library(table, found.folder);
  found.state = found.detail.empty() ? State::complete : State::damaged;
  return found;
}

InstalledLibraries usable_libraries(const LibraryTable& table) {
  InstalledLibraries own = installed_libraries(table, libraries_root());
  if (const auto packaged = find_resource(kPackagedLibraries);
      own.state != State::complete && packaged) {
    InstalledLibraries found = installed_libraries(table, *packaged);
    if (found.state == State::complete) {
      found.packaged = true;
      return found;
    }
  }
  return own;
}

fs::path cuda_library_folder() {
  try {
    const InstalledLibraries found = usable_libraries(library_table());
    return found.state == State::complete ? found.folder : fs::path();
  } catch (const std::exception&) {
    return {};  // then the system's are used
  }
}

RunLock lock_libraries(const fs::path& root) {
  std::optional<RunLock> lock = RunLock::try_acquire(root / kLock);
  if (!lock) {
    throw Error(
        message<"another program is installing or removing CUDA libraries in {folder}; wait "
                "until it has finished">(path_to_utf8(root)));
  }
  return std::move(*lock);
}

void remove_all_but(const fs::path& root, const fs::path& kept) {
  for (const fs::path& entry : entries(root)) {
    if (entry != kept && entry.filename() != kLock) {
      std::error_code in_use;
      fs::remove_all(entry, in_use);
    }
  }
}

std::uint64_t remove_libraries(const fs::path& root) {
  std::error_code error;
  if (!fs::exists(root, error)) {
    return 0;
  }
  const RunLock lock = lock_libraries(root);
  const std::uint64_t before = bytes_below(root);
  remove_all_but(root, {});
  for (const fs::path& entry : entries(root)) {
    if (entry.filename() != kLock) {
      throw Error(
          message<"could not remove {path}: a program that uses it is running; close it and "
                  "try again">(path_to_utf8(entry)));
    }
  }
  return before - bytes_below(root);
}

}  // namespace mantissa
