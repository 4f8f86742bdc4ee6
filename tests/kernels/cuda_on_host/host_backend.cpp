#include "host_backend.h"

#include "kernels/cuda/cublas.h"

namespace mantissa::testing {

std::unique_ptr<cuda::CudaKernels> make_cuda_on_host(const cuda_on_host::Settings& settings,
                                                     int ordinal, std::size_t pinned_limit) {
  cuda_on_host::settings() = settings;
  auto context = std::make_unique<cuda::Context>(ordinal, pinned_limit);
  auto gemm = cuda::make_cublas(*context, {.deterministic = true, .cache_folder = {}});
  return std::make_unique<cuda::CudaKernels>(std::move(context), std::move(gemm), nullptr);
}

}  // namespace mantissa::testing
