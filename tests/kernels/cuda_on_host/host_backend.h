#pragma once
// The CUDA backend with this folder's stand-ins below it.

#include <memory>

#include "kernels/cuda/backend.h"

#include "machine.h"

namespace mantissa::testing {

/// A backend whose memory the host can't touch, with the library's first choice of algorithms.
/// There is one machine for all: `settings` hold from now on.
std::unique_ptr<cuda::CudaKernels> make_cuda_on_host(const cuda_on_host::Settings& settings = {});

}  // namespace mantissa::testing
