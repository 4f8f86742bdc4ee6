#pragma once

#include <memory>
#include <vector>

#include "engine/optim/optimizer.h"

namespace mantissa {

/// Rules that update each element by itself.
std::unique_ptr<Optimizer> make_elementwise(Kernels& kernels, const OptimizerSettings& settings,
                                            std::vector<OptimizerTensor> tensors);

}  // namespace mantissa
