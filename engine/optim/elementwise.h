#pragma once

#include <memory>
#include <vector>

#include "engine/optim/optimizer.h"
#include "engine/optim/schedule_free.h"

namespace mantissa {

/// Rules that update each element by itself. `sums`: those of the group's schedule-free average;
/// null: its own.
std::unique_ptr<Optimizer> make_elementwise(Kernels& kernels, const OptimizerSettings& settings,
                                            std::vector<OptimizerTensor> tensors,
                                            std::shared_ptr<ScheduleFreeSums> sums);

}  // namespace mantissa
