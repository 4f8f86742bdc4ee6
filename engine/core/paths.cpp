#include "engine/core/paths.h"

#include <algorithm>
#include <cstdlib>
#include <system_error>
#include <vector>

#include "engine/core/error.h"
#include "engine/core/system_message.h"

#ifdef _WIN32
#include <windows.h>
#endif

namespace mantissa {

namespace fs = std::filesystem;

fs::path path_from_utf8(std::string_view text) {
  return fs::path(std::u8string(text.begin(), text.end()));
}

std::string path_to_utf8(const fs::path& path) {
  const std::u8string text = path.u8string();
  return std::string(text.begin(), text.end());
}

namespace {

fs::path without_last_slash(fs::path path) {
  return path.has_filename() || !path.has_relative_path() ? path : path.parent_path();
}

}  // namespace

fs::path whole_path(const fs::path& path) {
  const fs::path named = fs::absolute(path);
  fs::path whole = without_last_slash(named.lexically_normal());
  if (std::ranges::find(named, fs::path("..")) != named.end()) {
    std::error_code none;
    fs::path found = without_last_slash(fs::weakly_canonical(named, none));
    if (!found.empty() && found != fs::weakly_canonical(whole, none)) {
      return found;
    }
  }
  return whole;
}

fs::path real_path(const fs::path& path) {
#ifdef _WIN32
  HANDLE file = CreateFileW(path.c_str(), 0, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE,
                            nullptr, OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS, nullptr);
  if (file == INVALID_HANDLE_VALUE) {
    return {};
  }
  std::wstring name(32768, L'\0');
  const DWORD length = GetFinalPathNameByHandleW(file, name.data(), static_cast<DWORD>(name.size()),
                                                 FILE_NAME_NORMALIZED);
  CloseHandle(file);
  if (length > 0 && length < name.size()) {
    name.resize(length);
    return name;
  }
#endif
  std::error_code error;  // also of drives without names that are normalized
  fs::path real = fs::canonical(path, error);
  return error ? fs::path() : real;
}

fs::path executable_folder() {
#ifdef _WIN32
  std::wstring name(32768, L'\0');
  const DWORD length = GetModuleFileNameW(nullptr, name.data(), static_cast<DWORD>(name.size()));
  name.resize(length);
  return fs::path(name).parent_path();
#else
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  return error ? fs::path() : program.parent_path();
#endif
}

namespace {

std::optional<fs::path> environment(const char* name) {
#ifdef _WIN32
  const std::wstring wide(name, name + std::char_traits<char>::length(name));
  const wchar_t* value = _wgetenv(wide.c_str());
#else
  const char* value = std::getenv(name);
#endif
  if (value == nullptr || *value == 0) {
    return std::nullopt;
  }
  return fs::path(value);
}

std::vector<fs::path> resource_folders() {
  std::vector<fs::path> folders;
  if (auto chosen = environment("MANTISSA_RESOURCES")) {
    folders.push_back(*chosen);
  }
  if (const fs::path program = executable_folder(); !program.empty()) {
    const fs::path share = program.parent_path() / "share";
    folders.push_back(share / "mantissa");
    folders.push_back(share);
  }
  folders.push_back(path_from_utf8(MANTISSA_SOURCE_RESOURCES));
  return folders;
}

/// Absolute: it is recorded, and used from wherever the program is started next.
fs::path made(const fs::path& named) {
  std::error_code error;
  const fs::path folder = fs::absolute(named, error).lexically_normal();
  fs::create_directories(folder, error);
  if (error) {
    throw Error(message<"can't make the folder {folder}: {reason}; set MANTISSA_HOME to a folder "
                        "that can be written">(path_to_utf8(folder), system_message(error)));
  }
  return folder;
}

#ifndef _WIN32
// XDG rule: a relative value counts as unset.
fs::path xdg(const char* variable, const char* fallback) {
  if (auto chosen = environment(variable); chosen && chosen->is_absolute()) {
    return *chosen;
  }
  auto home = environment("HOME");
  if (!home) {
    throw Error(message<"neither MANTISSA_HOME, {variable} nor HOME is set: no folder for the "
                        "program's data; set MANTISSA_HOME">(variable));
  }
  return *home / fallback;
}
#else
fs::path local_app_data() {
  auto chosen = environment("LOCALAPPDATA");
  if (!chosen) {
    throw Error(message<"neither MANTISSA_HOME nor LOCALAPPDATA is set: no folder for the "
                        "program's data; set MANTISSA_HOME">());
  }
  return *chosen / "Mantissa";
}
#endif

}  // namespace

std::optional<fs::path> find_resource(std::string_view name) {
  const fs::path relative = path_from_utf8(name);
  for (const fs::path& folder : resource_folders()) {
    std::error_code error;
    fs::path candidate = folder / relative;
    if (fs::exists(candidate, error)) {
      return candidate.lexically_normal();
    }
  }
  return std::nullopt;
}

fs::path resource_path(std::string_view name) {
  if (auto found = find_resource(name)) {
    return *found;
  }
  std::string searched;
  for (const fs::path& folder : resource_folders()) {
    searched += (searched.empty() ? "" : ", ") + path_to_utf8(folder.lexically_normal());
  }
  throw Error(
      message<"the program's file {file} is missing (searched {folders}); install the program "
              "again or set MANTISSA_RESOURCES to the folder that holds it">(name, searched));
}

fs::path data_dir() {
  if (auto home = environment("MANTISSA_HOME")) {
    return made(*home);
  }
#ifdef _WIN32
  return made(local_app_data());
#else
  return made(xdg("XDG_DATA_HOME", ".local/share") / "mantissa");
#endif
}

fs::path cache_dir() {
  if (auto home = environment("MANTISSA_HOME")) {
    return made(*home / "cache");
  }
#ifdef _WIN32
  return made(local_app_data() / "cache");
#else
  return made(xdg("XDG_CACHE_HOME", ".cache") / "mantissa");
#endif
}

}  // namespace mantissa
