#pragma once

#include <memory>
#include <string>

#include "kernels/cuda/context.h"
#include "kernels/cuda/libraries.h"

namespace mantissa::cuda {

struct CublasOptions {
  bool deterministic = true;  ///< cuBLASLt's first choice, without reductions in any order
  std::string cache_folder;   ///< of the fastest algorithms found, UTF-8; empty: not kept
};

/// cuBLASLt on this card. Without `deterministic`, the first call of each shape times what the
/// library proposes and keeps the fastest, on disk too.
std::unique_ptr<Gemm> make_cublas(Context& context, const CublasOptions& options);

}  // namespace mantissa::cuda
