#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "engine/io/run_lock.h"
#include "engine/toolkit/library_table.h"

namespace mantissa {

/// NVIDIA's libraries as `mantissa cuda install` left them, or as the program's package brings
/// them.
struct InstalledLibraries {
  enum class State {
    none,
    complete,
    damaged,       ///< `detail`: a file that is missing or has another size
    other_version  ///< those of another version of this program alone
  };
  State state = State::none;
  std::filesystem::path folder;  ///< where they are, or will be
  std::string detail{};
  bool packaged = false;  ///< part of the program's package: `mantissa cuda remove` leaves them
};

/// Where they are installed for this user: data_dir()/cuda-libraries. It holds a folder named by
/// LibraryTable::id, while it is filled with `.part` at its end, and the folder of downloads.
/// Throws Error.
std::filesystem::path libraries_root();
/// Where a package brings them: a resource of this name, which holds a folder as the root does.
inline constexpr std::string_view kPackagedLibraries = "cuda-libraries";
inline constexpr std::string_view kDownloads = "downloads";

InstalledLibraries installed_libraries(const LibraryTable& table,
                                       const std::filesystem::path& root);

/// What is used: this user's if they are complete, else the package's if these are; else what there
/// is of this user's. Throws Error.
InstalledLibraries usable_libraries(const LibraryTable& table);

/// The folder for kernels/load.h; empty if neither are complete. Never throws.
std::filesystem::path cuda_library_folder();

/// Held by whoever changes the folder. Throws Error if another program holds it.
RunLock lock_libraries(const std::filesystem::path& root);

/// Removes everything in the folder but `kept`, if that can be removed; Windows keeps what is in
/// use. Only under the lock.
void remove_all_but(const std::filesystem::path& root, const std::filesystem::path& kept);

/// Removes the libraries and what was downloaded for them. Returns the bytes freed. Throws Error,
/// also while they are being installed.
std::uint64_t remove_libraries(const std::filesystem::path& root);

}  // namespace mantissa
