#include "kernels/library.h"

#include <cstdlib>

#if defined(_WIN32)
#include <windows.h>
#else
#include <dlfcn.h>
#endif

namespace mantissa {
namespace fs = std::filesystem;

#if defined(_WIN32)

namespace {

fs::path own_folder() {
  std::wstring name(32768, L'\0');
  name.resize(GetModuleFileNameW(nullptr, name.data(), static_cast<DWORD>(name.size())));
  return fs::path(name).parent_path();
}

}  // namespace

OpenedLibrary open_library(const fs::path& path) {
  const DWORD beside = path.is_absolute() ? LOAD_LIBRARY_SEARCH_DLL_LOAD_DIR : 0;
  void* handle = LoadLibraryExW(path.c_str(), nullptr, LOAD_LIBRARY_SEARCH_DEFAULT_DIRS | beside);
  return {handle, handle != nullptr ? "" : "Windows error " + std::to_string(GetLastError())};
}
void* library_symbol(void* library, const char* name) {
  return reinterpret_cast<void*>(GetProcAddress(static_cast<HMODULE>(library), name));
}
std::optional<fs::path> path_from_environment(const char* variable) {
  const std::wstring name(variable, variable + std::char_traits<char>::length(variable));
  const wchar_t* value = _wgetenv(name.c_str());
  return value != nullptr ? std::optional<fs::path>(value) : std::nullopt;
}
void search_libraries_also_in(const fs::path& folder) {
  AddDllDirectory(folder.c_str());
}

#else

namespace {

/// Empty if unknown: then nothing is searched next to the program.
fs::path own_folder() {
  std::error_code error;
  const fs::path self = fs::read_symlink("/proc/self/exe", error);
  return error ? fs::path() : self.parent_path();
}

}  // namespace

OpenedLibrary open_library(const fs::path& path) {
  void* handle = dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL);
  const char* error = handle != nullptr ? nullptr : dlerror();
  return {handle, error != nullptr ? error : ""};
}
void* library_symbol(void* library, const char* name) {
  return dlsym(library, name);
}
std::optional<fs::path> path_from_environment(const char* variable) {
  const char* value = std::getenv(variable);
  return value != nullptr ? std::optional<fs::path>(value) : std::nullopt;
}
void search_libraries_also_in(const fs::path&) {}

#endif

std::vector<fs::path> own_library_places(const char* file) {
  const fs::path folder = own_folder();
  return folder.empty() ? std::vector<fs::path>()
                        : std::vector<fs::path>{folder / file, folder / ".." / "lib" / file,
                                                folder / ".." / "lib" / "mantissa" / file};
}

}  // namespace mantissa
