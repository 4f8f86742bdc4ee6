#include "host_backend.h"

namespace mantissa::testing {

std::unique_ptr<cuda::CudaKernels> make_cuda_on_host(HostGemmOptions gemm,
                                                     cuda_on_host::Order order) {
  cuda_on_host::settings().order = order;
  auto context = std::make_unique<cuda::Context>(0);
  auto products = make_host_gemm(*context, gemm);
  return std::make_unique<cuda::CudaKernels>(std::move(context), std::move(products), nullptr);
}

}  // namespace mantissa::testing
