#pragma once

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "engine/io/weights.h"
#include "engine/precision/plan.h"
#include "engine/train/memory_plan.h"
#include "engine/train/run.h"
#include "engine/train/step_program.h"
#include "kernels/kernels.h"

namespace mantissa {

/// What a run's steps look like.
struct RunShapes {
  std::vector<StepShape> shapes;
  std::vector<StepShape> held_out;  ///< of the pictures that the loss is only looked at
  EncodeWork work;                  ///< what is encoded before them
  bool from_pictures = true;        ///< and not from a trace
  bool keep_tensors = false;        ///< StepOptions::keep_tensors
};

/// What a run may take of its device.
struct RunMemory {
  std::uint64_t free_bytes = 0;  ///< 0 where that isn't known
  std::uint64_t budget = 0;      ///< JobSpec::memory_budget
  bool may_stream = false;       ///< a device of its own memory, to which weights can be copied
  /// The less of what is free and the budget; 0 where nothing limits it.
  std::uint64_t bytes() const {
    return budget > 0 && free_bytes > 0 ? std::min(budget, free_bytes)
                                        : std::max(budget, free_bytes);
  }
};

struct PlannedRun {
  PlanReport report;
  PhaseNeeds phases;
  std::set<std::string> streamed;  ///< weights that stay in host memory, by path
};

/// Memory of a run, without loading anything. Where it needs more than it may take, frozen weights
/// of the steps, of the samples and of what is encoded before stay in host memory, the largest
/// first, until it fits or none is left.
PlannedRun plan_run(Kernels& kernels, const WeightSource& source, const PrecisionPlan& precision,
                    const RunShapes& steps, const RunMemory& memory);

}  // namespace mantissa
