#pragma once
// The CUDA library, opened at run time. Nothing of ours links CUDA.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "kernels/kernels.h"

namespace mantissa {

/// One card, as its driver tells.
struct CudaDevice {
  int ordinal = 0;
  std::string name;
  int capability = 0;  ///< 10·major + minor: 89 for an RTX 4090
  std::size_t memory = 0;
  std::string problem;  ///< why it can't be used; empty where it can
};

/// What there is of CUDA on this machine.
struct CudaReport {
  std::string problem;  ///< why no card can be used, one sentence; empty where one can
  std::string driver, runtime, cublas, cudnn;  ///< versions; empty where unknown
  std::vector<CudaDevice> devices;
};

struct CudaPluginOptions {
  bool deterministic = true;  ///< the same inputs give the same bits on every run
  std::string cache_folder;   ///< of found GEMM algorithms, UTF-8; empty: not kept
};

/// Never throws: what is missing is in the report.
CudaReport cuda_report();

/// The backend of card `ordinal`. Throws std::runtime_error with one sentence.
std::unique_ptr<Kernels> load_cuda_kernels(int ordinal, const CudaPluginOptions& options);

// -- between the app and the library -----------------------------------------------------------

/// What the library `mantissa_cuda` gives, by its one symbol `mantissa_cuda_api`. Both sides are
/// built together: another `build` is refused.
struct CudaApi {
  const char* build = nullptr;
  CudaReport (*report)() = nullptr;
  std::unique_ptr<Kernels> (*make)(int ordinal, const CudaPluginOptions& options) = nullptr;
};

}  // namespace mantissa
