#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#if defined(__CUDACC__)
#include <cuda_runtime.h>
#elif defined(MANTISSA_CUDA_ON_HOST)
#include "cuda_on_host.h"
#else
#include <cuda_runtime_api.h>
#endif

#include "kernels/check.h"

namespace mantissa::cuda {

/// The shape of a launch.
struct Grid {
  dim3 blocks;
  int threads = 256;             ///< per block, along x
  std::size_t shared_bytes = 0;  ///< size of dynamic_shared
};
/// More dynamic shared memory than this needs an attribute of the kernel.
inline constexpr std::size_t kSharedWithoutAsking = 48 * 1024;

/// Enough blocks for one thread per item of a grid-stride loop, capped at kMaxBlocks.
inline Grid grid_for(std::int64_t items, int threads = 256, std::int64_t most = 4096) {
  const std::int64_t blocks = std::clamp<std::int64_t>(ceil_div(items, threads), 1, most);
  return {dim3(static_cast<unsigned>(blocks)), threads, 0};
}

}  // namespace mantissa::cuda
