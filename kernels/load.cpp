#include "kernels/load.h"

#include <array>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <utility>

#include "kernels/cuda_driver.h"
#include "kernels/library.h"
#include "kernels/toolkit_folders.h"

namespace mantissa {
namespace {
namespace fs = std::filesystem;
using Kind = CudaProblem::Kind;

/// A library that ours depends on.
struct Needed {
  Kind missing;  ///< the problem without it
  const char* file;
};

#if defined(_WIN32)
constexpr const char* kLibrary = "mantissa_cuda.dll";
constexpr std::array kNeeded{Needed{Kind::no_cudart, "cudart64_13.dll"},
                             Needed{Kind::no_cublas, "cublasLt64_13.dll"},
                             Needed{Kind::no_cudnn, "cudnn64_9.dll"}};
constexpr const char* kCompiler = "nvrtc64_130_0.dll";
constexpr const char* kCompilersOwn = "nvrtc-builtins64_130.dll";
constexpr const char* kNccl = "nccl.dll";
#else
constexpr const char* kLibrary = "libmantissa_cuda.so";
// The runtime is part of our library.
constexpr std::array kNeeded{Needed{Kind::no_cublas, "libcublasLt.so.13"},
                             Needed{Kind::no_cudnn, "libcudnn.so.9"}};
constexpr const char* kCompiler = "libnvrtc.so.13";
constexpr const char* kCompilersOwn = "libnvrtc-builtins.so.13.0";
constexpr const char* kNccl = "libnccl.so.2";
#endif

/// Opens the libraries of the folder that was installed for us, before ours asks for others of the
/// same names: mixed with the system's, cuDNN and cuBLASLt would be of versions never tried
/// together.
void open_installed(const fs::path& folder) {
  if (folder.empty()) {
    return;
  }
  search_libraries_also_in(folder);
  for (const Needed& needed : kNeeded) {
    open_library(folder / needed.file);
  }
  open_library(folder / kCompilersOwn);  // which NVRTC looks for by its name alone
  open_library(folder / kCompiler);
}

/// Opens a library from the system's folders, else from the toolkit's; null if it is in none.
void* open_toolkit_library(const char* name) {
  if (void* const library = open_library(name).handle) {
    return library;
  }
  for (const fs::path& folder : toolkit_folders()) {
    if (void* const library = open_library(folder / name).handle) {
      search_libraries_also_in(folder);
      return library;
    }
  }
  return nullptr;
}

/// Opens NVRTC, so that cuDNN finds it when it compiles its first engine. Returns its version,
/// empty if it is missing.
std::string open_compiler() {
  using Version = int (*)(int* major, int* minor);
  void* const library = open_toolkit_library(kCompiler);
  if (library == nullptr) {
    return {};
  }
  int major = 0, minor = 0;
  const auto version = reinterpret_cast<Version>(library_symbol(library, "nvrtcVersion"));
  if (version == nullptr || version(&major, &minor) != 0) {
    return {};
  }
  return std::to_string(major) + "." + std::to_string(minor);
}

/// Opens the dependencies of our library, so that they are found when it is opened. Returns what is
/// missing.
CudaProblem open_needed() {
  for (const Needed& needed : kNeeded) {
    if (open_toolkit_library(needed.file) == nullptr) {
      return {needed.missing, needed.file};
    }
  }
  return {};
}

struct Loaded {
  const CudaApi* api = nullptr;
  CudaProblem problem;
};

/// The library is never closed: kernels from it may still exist anywhere. Once opened, it is found
/// without `libraries`.
Loaded load(const fs::path& libraries = {}) {
  std::vector<fs::path> places;
  if (const std::optional<fs::path> given = path_from_environment("MANTISSA_CUDA_LIBRARY")) {
    if (!given->is_absolute()) {
      return {nullptr, {Kind::relative_path}};
    }
    places.push_back(*given);
  } else {
    places = own_library_places(kLibrary);
  }
  for (const fs::path& place : places) {
    std::error_code ignored;
    if (!fs::exists(place, ignored)) {
      continue;
    }
    open_installed(libraries);
    OpenedLibrary library = open_library(place);
    if (library.handle == nullptr) {
      if (CudaProblem problem = open_needed(); !problem.empty()) {
        return {nullptr, std::move(problem)};
      }
      library = open_library(place);
    }
    if (library.handle == nullptr) {
      return {nullptr, {Kind::cannot_open, library.error}};
    }
    using Entry = const CudaApi* (*)();
    const auto entry = reinterpret_cast<Entry>(library_symbol(library.handle, "mantissa_cuda_api"));
    const CudaApi* api = entry != nullptr ? entry() : nullptr;
    if (api == nullptr || std::string(api->build) != MANTISSA_BUILD) {
      return {nullptr, {Kind::other_version}};
    }
    return {api, {}};
  }
  return {nullptr, {Kind::no_library, kLibrary}};
}

}  // namespace

CudaReport cuda_report(const fs::path& libraries) {
  const Loaded loaded = load(libraries);
  if (loaded.api == nullptr) {
    CudaReport report;
    if (lacks_libraries(loaded.problem)) {
      report = driver_report(open_driver());
    }
    if (report.problem.empty()) {
      report.problem = loaded.problem;
    }
    return report;
  }
  CudaReport report = loaded.api->report();
  report.nvrtc = open_compiler();
  return report;
}

std::unique_ptr<Kernels> load_cuda_kernels(int ordinal, const CudaPluginOptions& options,
                                           const fs::path& libraries) {
  const Loaded loaded = load(libraries);
  if (loaded.api == nullptr) {
    throw CudaUnusable(loaded.problem);
  }
  CudaPluginOptions given = options;
  given.nvrtc = !open_compiler().empty();
  return loaded.api->make(ordinal, given);
}

PinnedMemory pinned_memory(Kernels& kernels) {
  return load().api->pinned(kernels);
}

NcclLibrary open_nccl(const fs::path& libraries) {
  NcclLibrary nccl;
  nccl.symbol = library_symbol;
  const Loaded loaded = load(libraries);
  if (loaded.api == nullptr) {
    nccl.error = "the CUDA library can't be used";
    return nccl;
  }
  if (const std::optional<fs::path> given = path_from_environment("MANTISSA_NCCL_LIBRARY")) {
    const OpenedLibrary library =
        given->is_absolute() ? open_library(*given)
                             : OpenedLibrary{nullptr, "MANTISSA_NCCL_LIBRARY is no absolute path"};
    nccl.handle = library.handle;
    nccl.error = library.error;
  } else {
    nccl.handle = open_toolkit_library(kNccl);
    nccl.error = nccl.handle != nullptr ? "" : std::string(kNccl) + " is not there";
  }
  if (nccl.handle != nullptr) {
    loaded.api->describe_nccl(nccl);
  }
  return nccl;
}

CardLinkId new_card_link(const NcclLibrary& nccl) {
  return load().api->new_link(nccl);
}

std::unique_ptr<CardLink> join_card_link(const NcclLibrary& nccl, Kernels& kernels,
                                         const CardLinkPlace& place, WhileWaiting while_waiting) {
  return load().api->join_link(nccl, kernels, place, std::move(while_waiting));
}

}  // namespace mantissa
