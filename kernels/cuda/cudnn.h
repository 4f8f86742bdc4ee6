#pragma once

#include <memory>

#include "kernels/cuda/context.h"
#include "kernels/cuda/libraries.h"

namespace mantissa::cuda {

/// cuDNN 9 on this card, by its graph API; a graph per shape, built on first use.
/// `deterministic` excludes engines with non-deterministic sums.
std::unique_ptr<Dnn> make_cudnn(Context& context, bool deterministic);

}  // namespace mantissa::cuda
