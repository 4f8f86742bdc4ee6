#pragma once
#include "engine/core/message.h"
#include "kernels/load.h"

namespace mantissa {

/// Why a card can't be used and what to do, as part of a sentence; empty if it can.
Message cuda_problem_text(const CudaProblem& problem);

}  // namespace mantissa
