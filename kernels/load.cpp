#include "kernels/load.h"

#include <array>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>

#if defined(_WIN32)
#include <windows.h>
#else
#include <dlfcn.h>
#endif

namespace mantissa {
namespace {
namespace fs = std::filesystem;

#if defined(_WIN32)
constexpr const char* kLibrary = "mantissa_cuda.dll";
constexpr std::array kNeeded{"cublasLt64_13.dll", "cudnn64_9.dll"};
#else
constexpr const char* kLibrary = "libmantissa_cuda.so";
constexpr std::array kNeeded{"libcublasLt.so.13", "libcudnn.so.9"};
#endif

/// The libraries that ours needs, in the words of people.
constexpr std::array kWords{"cuBLAS 13 (of the CUDA Toolkit 13)", "cuDNN 9 for CUDA 13"};

struct Opened {
  void* handle = nullptr;
  std::string error;
};

#if defined(_WIN32)

Opened open_library(const fs::path& path) {
  void* handle = LoadLibraryW(path.c_str());
  return {handle, handle != nullptr ? "" : "Windows error " + std::to_string(GetLastError())};
}
void* symbol(void* library, const char* name) {
  return reinterpret_cast<void*>(GetProcAddress(static_cast<HMODULE>(library), name));
}
fs::path own_folder() {
  std::wstring name(32768, L'\0');
  name.resize(GetModuleFileNameW(nullptr, name.data(), static_cast<DWORD>(name.size())));
  return fs::path(name).parent_path();
}

#else

Opened open_library(const fs::path& path) {
  void* handle = dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL);
  const char* error = handle != nullptr ? nullptr : dlerror();
  return {handle, error != nullptr ? error : ""};
}
void* symbol(void* library, const char* name) {
  return dlsym(library, name);
}
fs::path own_folder() {
  std::error_code error;
  const fs::path self = fs::read_symlink("/proc/self/exe", error);
  return error ? fs::path(".") : self.parent_path();
}

#endif

/// Where the CUDA Toolkit and cuDNN may lie besides the system's own places.
std::vector<fs::path> toolkit_folders() {
  std::vector<fs::path> folders;
  for (const char* variable : {"CUDA_PATH", "CUDA_HOME"}) {
    if (const char* value = std::getenv(variable)) {
      folders.push_back(fs::path(value) / "lib64");
      folders.push_back(fs::path(value) / "bin");
    }
  }
  folders.emplace_back("/usr/local/cuda/lib64");
  return folders;
}

/// Opens what ours needs, so that it is found when ours is opened. The sentence for what is
/// missing.
std::string open_needed() {
  for (std::size_t i = 0; i < kNeeded.size(); ++i) {
    bool found = open_library(kNeeded[i]).handle != nullptr;
    for (const fs::path& folder : toolkit_folders()) {
      found = found || open_library(folder / kNeeded[i]).handle != nullptr;
    }
    if (!found) {
      return std::string(kWords[i]) + " is not installed: " + kNeeded[i] +
             " was found neither among the system's libraries nor under CUDA_PATH";
    }
  }
  return {};
}

struct Loaded {
  const CudaApi* api = nullptr;
  std::string problem;
};

/// The library is never closed: kernels made by it may live anywhere.
Loaded load() {
  const fs::path folder = own_folder();
  std::vector<fs::path> places;
  if (const char* given = std::getenv("MANTISSA_CUDA_LIBRARY")) {
    places.emplace_back(given);
  } else {
    places = {folder / kLibrary, folder / ".." / "lib" / kLibrary,
              folder / ".." / "lib" / "mantissa" / kLibrary};
  }
  for (const fs::path& place : places) {
    std::error_code ignored;
    if (!fs::exists(place, ignored)) {
      continue;
    }
    Opened library = open_library(place);
    if (library.handle == nullptr) {
      if (std::string problem = open_needed(); !problem.empty()) {
        return {nullptr, std::move(problem)};
      }
      library = open_library(place);
    }
    if (library.handle == nullptr) {
      return {nullptr, "the CUDA library can't be opened: " + library.error};
    }
    using Entry = const CudaApi* (*)();
    const auto entry = reinterpret_cast<Entry>(symbol(library.handle, "mantissa_cuda_api"));
    const CudaApi* api = entry != nullptr ? entry() : nullptr;
    if (api == nullptr || std::string(api->build) != MANTISSA_BUILD) {
      return {nullptr,
              "the CUDA library beside this program is of another version of Mantissa; "
              "install both from one package"};
    }
    return {api, {}};
  }
  return {nullptr, std::string("this installation has no CUDA library (") + kLibrary +
                       "). Install the package mantissa-cuda, or build with the CUDA Toolkit 13"};
}

}  // namespace

CudaReport cuda_report() {
  const Loaded loaded = load();
  if (loaded.api == nullptr) {
    CudaReport report;
    report.problem = loaded.problem;
    return report;
  }
  return loaded.api->report();
}

std::unique_ptr<Kernels> load_cuda_kernels(int ordinal, const CudaPluginOptions& options) {
  const Loaded loaded = load();
  if (loaded.api == nullptr) {
    throw std::runtime_error(loaded.problem);
  }
  return loaded.api->make(ordinal, options);
}

}  // namespace mantissa
