#pragma once
// The CUDA library, opened at run time. No other program or library of ours links CUDA.

#include <cstdint>
#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "kernels/card_link.h"
#include "kernels/kernels.h"

namespace mantissa {

/// The oldest cards that the library runs on, as 10·major + minor of their compute capability.
inline constexpr int kLeastCapability = 75;

/// Why a card can't be used, as data; the engine has the text (cuda_problem_text).
struct CudaProblem {
  enum class Kind {
    none,
    relative_path,  ///< MANTISSA_CUDA_LIBRARY isn't absolute
    no_library,     ///< `detail`: the file that is missing
    cannot_open,    ///< our library; `detail`: the system's message
    other_version,  ///< our library is of another build
    no_cudart,      ///< `detail`: the file that is missing
    no_cublas,      ///< the same
    no_cudnn,       ///< the same
    no_driver,
    old_driver,     ///< `detail`: the CUDA version that it supports
    driver_failed,  ///< `detail`: the driver's message
    no_card,
    no_such_card,  ///< `detail`: their number
    old_card,      ///< `detail`: its compute capability
    unknown_card,  ///< the driver can't describe it; `detail`: its message
  };
  Kind kind = Kind::none;
  std::string detail{};
  std::string card{};  ///< the card's name, if the problem concerns one

  bool empty() const { return kind == Kind::none; }
};

struct CudaUnusable : std::runtime_error {
  explicit CudaUnusable(CudaProblem why)
      : std::runtime_error("CUDA can't be used: " + why.detail), problem(std::move(why)) {}
  CudaProblem problem;
};

/// One card, as reported by its driver.
struct CudaDevice {
  int ordinal = 0;
  std::string name;
  int capability = 0;  ///< 10·major + minor: 89 for an RTX 4090
  std::size_t memory = 0;
  CudaProblem problem;
  std::string id{};  ///< differs from card to card; empty if unknown
};

/// CUDA on this machine: driver, libraries, cards.
struct CudaReport {
  CudaProblem problem;  ///< why no card can be used
  /// Versions; empty if unknown. NVRTC's is empty if it is missing: cuDNN then has no engines for
  /// attention.
  std::string driver, runtime, cublas, cudnn, nvrtc;
  std::vector<CudaDevice> devices;
};

struct CudaPluginOptions {
  bool deterministic = true;  ///< the same inputs give the same bits on every run
  std::string cache_folder;   ///< of found GEMM algorithms, UTF-8; empty: no disk cache
  bool nvrtc = true;          ///< set by load_cuda_kernels: whether the run-time compiler exists
};

// `libraries` is a folder with NVIDIA's libraries of the versions that ours was tested with; it is
// searched first. Empty: the system's and the CUDA Toolkit's.

/// Never throws: problems are in the report. Where NVIDIA's libraries are missing, it tells what the
/// driver alone knows.
CudaReport cuda_report(const std::filesystem::path& libraries);

/// The backend of card `ordinal`. Throws CudaUnusable.
std::unique_ptr<Kernels> load_cuda_kernels(int ordinal, const CudaPluginOptions& options,
                                           const std::filesystem::path& libraries);

/// Whether installing NVIDIA's libraries solves the problem.
bool lacks_libraries(const CudaProblem& problem);

// -- between the app and the library -----------------------------------------------------------

/// The interface of the library `mantissa_cuda`, through its one symbol `mantissa_cuda_api`. Both
/// sides are built together: a different `build` is refused.
struct CudaApi {
  const char* build = nullptr;
  CudaReport (*report)() = nullptr;
  std::unique_ptr<Kernels> (*make)(int ordinal, const CudaPluginOptions& options) = nullptr;
  // card_link.h; `kernels` are what `make` returned.
  void (*describe_nccl)(NcclLibrary& nccl) = nullptr;
  CardLinkId (*new_link)(const NcclLibrary& nccl) = nullptr;
  std::unique_ptr<CardLink> (*join_link)(const NcclLibrary& nccl, Kernels& kernels,
                                         const CardLinkPlace& place,
                                         WhileWaiting while_waiting) = nullptr;
};

}  // namespace mantissa
