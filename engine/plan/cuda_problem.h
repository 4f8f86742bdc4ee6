#pragma once
#include <vector>

#include "engine/core/graphics_cards.h"
#include "engine/core/message.h"
#include "kernels/load.h"

namespace mantissa {

/// Why a card can't be used and what to do, as part of a sentence; empty if it can. `makers`: of
/// this machine's graphics cards, which tell what a missing driver means.
Message cuda_problem_text(const CudaProblem& problem,
                          const std::vector<CardMaker>& makers = graphics_card_makers());

}  // namespace mantissa
