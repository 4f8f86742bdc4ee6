#pragma once

#include "engine/graph/plan.h"
#include "kernels/conv_scratch.h"

namespace mantissa {

/// What a plan's convolutions take of a device beside its arena. Where a library multiplies the
/// images as they lie, its workspaces have the place of the patches.
ConvScratch planned_scratch(const Graph& graph, const Plan& plan);

}  // namespace mantissa
