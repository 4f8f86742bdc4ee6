#pragma once
// defines: make_cuda_on_host: the CUDA backend with this folder's stand-ins below it

#include <memory>

#include "kernels/cuda/backend.h"

#include "host_gemm.h"
#include "machine.h"

namespace mantissa::testing {

/// A backend whose memory the host can't touch. There is one machine for all: `order` holds from
/// now on.
std::unique_ptr<cuda::CudaKernels> make_cuda_on_host(
    HostGemmOptions gemm = {}, cuda_on_host::Order order = cuda_on_host::Order::ascending);

}  // namespace mantissa::testing
