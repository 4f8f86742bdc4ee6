#pragma once
// The CUDA library, opened at run time. No other program or library of ours links CUDA.

#include <cstddef>
#include <filesystem>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>

#include "kernels/card_link.h"
#include "kernels/cuda_report.h"
#include "kernels/kernels.h"

namespace mantissa {

struct CudaUnusable : std::runtime_error {
  explicit CudaUnusable(CudaProblem why)
      : std::runtime_error("CUDA can't be used: " + why.detail), problem(std::move(why)) {}
  CudaProblem problem;
};

struct CudaPluginOptions {
  bool deterministic = true;  ///< the same inputs give the same bits on every run
  std::string cache_folder;   ///< of found GEMM algorithms, UTF-8; empty: no disk cache
  /// Most bytes of host memory that are page-locked.
  std::size_t pinned_limit = std::numeric_limits<std::size_t>::max();
  bool nvrtc = true;  ///< set by load_cuda_kernels: whether the run-time compiler exists
};

/// Bytes of host memory that weights lie in (Kernels::allocate_host).
struct PinnedMemory {
  std::size_t pinned = 0;    ///< page-locked: a card reads them itself
  std::size_t pageable = 0;  ///< the rest, which goes through a buffer
};

// `libraries` is a folder with NVIDIA's libraries of the versions that ours was tested with; it is
// searched first. Empty: the system's and the CUDA Toolkit's.

/// Never throws: problems are in the report. Where NVIDIA's libraries are missing, it tells what
/// the driver alone knows.
CudaReport cuda_report(const std::filesystem::path& libraries);

/// The backend of card `ordinal`. Throws CudaUnusable.
std::unique_ptr<Kernels> load_cuda_kernels(int ordinal, const CudaPluginOptions& options,
                                           const std::filesystem::path& libraries);

/// Pinned memory of kernels made by load_cuda_kernels.
PinnedMemory pinned_memory(Kernels& kernels);

// -- between the app and the library -----------------------------------------------------------

/// The interface of the library `mantissa_cuda`, through its one symbol `mantissa_cuda_api`. Both
/// sides are built together: a different `build` is refused.
struct CudaApi {
  const char* build = nullptr;
  CudaReport (*report)() = nullptr;
  std::unique_ptr<Kernels> (*make)(int ordinal, const CudaPluginOptions& options) = nullptr;
  PinnedMemory (*pinned)(Kernels& kernels) = nullptr;
  // card_link.h; `kernels` are what `make` returned.
  void (*describe_nccl)(NcclLibrary& nccl) = nullptr;
  CardLinkId (*new_link)(const NcclLibrary& nccl) = nullptr;
  std::unique_ptr<CardLink> (*join_link)(const NcclLibrary& nccl, Kernels& kernels,
                                         const CardLinkPlace& place,
                                         WhileWaiting while_waiting) = nullptr;
};

}  // namespace mantissa
