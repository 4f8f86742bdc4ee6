#pragma once

#include "engine/graph/plan.h"
#include "kernels/conv_scratch.h"

namespace mantissa {

/// Device memory of a plan's convolutions outside its arena. If a library convolves images
/// directly, its workspaces replace the patches.
ConvScratch planned_scratch(const Graph& graph, const Plan& plan);

}  // namespace mantissa
