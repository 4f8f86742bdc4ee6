#pragma once

#include "engine/graph/plan.h"
#include "kernels/scratch_needs.h"

namespace mantissa {

/// Device memory of a plan's convolutions, attention and products of codes outside its arena. If a
/// library convolves images directly, its workspaces replace the patches; a card that scales FP8
/// products by channel needs no memory for them. `attention_engine`: Kernels::has_attention_engine.
ScratchNeeds planned_scratch(const Graph& graph, const Plan& plan, bool attention_engine);

/// Bytes of the resident weights whose codes products need transposed (Kernels::keep_turned_codes).
std::size_t turned_bytes(const Graph& graph, const Plan& plan);

}  // namespace mantissa
