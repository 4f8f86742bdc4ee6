#pragma once
// The CUDA backend on this folder's fakes.

#include <cstddef>
#include <limits>
#include <memory>

#include "kernels/cuda/backend.h"

#include "machine.h"

namespace mantissa::testing {

/// A backend with memory inaccessible to the host, using the library's first choice of algorithms.
/// There is one machine for all: `settings` apply from now on.
std::unique_ptr<cuda::CudaKernels> make_cuda_on_host(
    const cuda_on_host::Settings& settings = {}, int ordinal = 0,
    std::size_t pinned_limit = std::numeric_limits<std::size_t>::max());

}  // namespace mantissa::testing
