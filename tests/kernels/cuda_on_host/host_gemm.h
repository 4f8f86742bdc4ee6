#pragma once
// defines: HostGemm: stands in for cuBLASLt, by plain loops in fp64

#include <memory>

#include "kernels/cuda/context.h"
#include "kernels/cuda/libraries.h"

namespace mantissa::testing {

/// What the card and library that it plays can do.
struct HostGemmOptions {
  bool fp8 = false;
  bool scales_channels = false;
};

/// Products on the stream of `context`, which must outlive it.
std::unique_ptr<cuda::Gemm> make_host_gemm(cuda::Context& context, HostGemmOptions options);

}  // namespace mantissa::testing
