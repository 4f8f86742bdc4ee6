#include "kernels/toolkit_folders.h"

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

#include "kernels/library.h"

namespace mantissa {
namespace {
namespace fs = std::filesystem;

#if defined(_WIN32)
constexpr fs::path::value_type kBetweenFolders = L';';
#else
constexpr fs::path::value_type kBetweenFolders = ':';
#endif

/// The folders that an environment variable lists.
std::vector<fs::path> folders_in(const char* variable) {
  const fs::path::string_type all = path_from_environment(variable).value_or(fs::path()).native();
  std::vector<fs::path> folders;
  for (std::size_t at = 0; at < all.size();) {
    const std::size_t end = std::min(all.find(kBetweenFolders, at), all.size());
    folders.emplace_back(all.substr(at, end - at));
    at = end + 1;
  }
  return folders;
}

/// The number after the first dot of a name: 12 of "v9.12".
int minor_version(const fs::path& folder) {
  const std::string name = folder.filename().string();
  const std::size_t dot = name.find('.');
  return dot == std::string::npos ? 0 : std::atoi(name.c_str() + dot + 1);
}

/// The folders below `parent` whose names begin with `prefix`, the newest version first.
std::vector<fs::path> versions_below(const fs::path& parent, std::string_view prefix) {
  std::vector<fs::path> found;
  std::error_code error;
  for (fs::directory_iterator at(parent, error), end; !error && at != end; at.increment(error)) {
    std::error_code unreadable;
    if (at->path().filename().string().starts_with(prefix) && at->is_directory(unreadable)) {
      found.push_back(at->path());
    }
  }
  std::ranges::sort(found, std::greater<>(), minor_version);
  return found;
}

}  // namespace

std::vector<fs::path> windows_installer_folders(const fs::path& programs) {
  std::vector<fs::path> folders;
  for (const fs::path& toolkit :
       versions_below(programs / "NVIDIA GPU Computing Toolkit" / "CUDA", "v13.")) {
    folders.push_back(toolkit / "bin" / "x64");
    folders.push_back(toolkit / "bin");
  }
  for (const fs::path& cudnn : versions_below(programs / "NVIDIA" / "CUDNN", "v9.")) {
    for (const fs::path& cuda : versions_below(cudnn / "bin", "13.")) {
      folders.push_back(cuda / "x64");
      folders.push_back(cuda);
    }
  }
  return folders;
}

std::vector<fs::path> linux_installer_folders(const fs::path& root) {
  std::vector<fs::path> folders{root / "usr/local/cuda/lib64"};
  for (const fs::path& toolkit : versions_below(root / "usr/local", "cuda-13.")) {
    folders.push_back(toolkit / "lib64");
  }
  folders.push_back(root / "opt/cuda/lib64");
  return folders;
}

std::vector<fs::path> toolkit_folders() {
  std::vector<fs::path> folders;
  // An empty or relative one would resolve in the current folder, which may be untrusted.
  const auto add = [&](const fs::path& folder) {
    if (folder.is_absolute()) {
      folders.push_back(folder);
    }
  };
  std::ranges::for_each(folders_in("MANTISSA_CUDA_FOLDERS"), add);
  for (const char* variable : {"CUDA_PATH", "CUDA_HOME"}) {
    if (const std::optional<fs::path> root = path_from_environment(variable)) {
      for (const char* below : {"lib64", "bin", "bin/x64"}) {
        add(*root / below);
      }
    }
  }
#if defined(_WIN32)
  const fs::path programs = path_from_environment("ProgramFiles").value_or(fs::path());
  std::ranges::for_each(windows_installer_folders(programs), add);
  std::ranges::for_each(folders_in("PATH"), add);
#else
  std::ranges::for_each(linux_installer_folders("/"), add);
#endif
  return folders;
}

}  // namespace mantissa
