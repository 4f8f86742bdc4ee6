#pragma once
// Shared libraries opened at run time. None is ever looked for in the current folder.

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace mantissa {

struct OpenedLibrary {
  void* handle = nullptr;
  std::string error;  ///< the system's message if it can't be opened
};

/// A bare name is searched in the system's folders and, on Windows, next to the program. Never
/// closed.
OpenedLibrary open_library(const std::filesystem::path& path);
/// Null if there is no such symbol.
void* library_symbol(void* library, const char* name);
/// Where a library of ours may be: the program's folder and the folders for libraries beside it.
std::vector<std::filesystem::path> own_library_places(const char* file);
/// A path in an environment variable; none if it isn't set.
std::optional<std::filesystem::path> path_from_environment(const char* variable);
/// Libraries that a library in `folder` loads later are found there too.
void search_libraries_also_in(const std::filesystem::path& folder);

}  // namespace mantissa
