#pragma once

#include <functional>

#include "kernels/cuda/check_cuda.h"

namespace mantissa::cuda {

/// Milliseconds of `work` after a warm-up: from a chain of it launched as one graph, since what is
/// short vanishes between launches. Infinite if it returns false or can't be captured.
float milliseconds_of(cudaStream_t stream, const std::function<bool()>& work);

}  // namespace mantissa::cuda
