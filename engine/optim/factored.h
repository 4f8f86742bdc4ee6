#pragma once

#include <memory>
#include <vector>

#include "engine/optim/optimizer.h"

namespace mantissa {

/// Rules that keep a matrix's second moment as a row and a column.
std::unique_ptr<Optimizer> make_factored(Kernels& kernels, const OptimizerSettings& settings,
                                         std::vector<OptimizerTensor> tensors);

}  // namespace mantissa
