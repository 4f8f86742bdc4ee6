#pragma once

#include <memory>
#include <string>

#include "kernels/cuda/context.h"
#include "kernels/cuda/libraries.h"

namespace mantissa::cuda {

struct CublasOptions {
  bool deterministic = true;  ///< cuBLASLt's first choice, without order-dependent reductions
  std::string cache_folder;   ///< of the fastest algorithms found, UTF-8; empty: no disk cache
};

/// cuBLASLt on this card. Without `deterministic`, the first call of each shape times the library's
/// candidates and caches the fastest, also on disk.
std::unique_ptr<Gemm> make_cublas(Context& context, const CublasOptions& options);

}  // namespace mantissa::cuda
