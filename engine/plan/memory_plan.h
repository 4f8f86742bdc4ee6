#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "engine/adapters/training_adapters.h"
#include "engine/io/weights.h"
#include "engine/plan/memory_needs.h"
#include "engine/plan/plan_report.h"
#include "engine/precision/plan.h"
#include "kernels/kernels.h"

namespace mantissa {

/// The shapes of a run's steps.
struct RunShapes {
  std::vector<StepShape> shapes;
  std::vector<StepShape> single;  ///< of images whose losses are measured one by one
  EncodeWork work;                ///< the encoding work before them
  double image_tokens = 0;        ///< of the largest
  bool from_images = true;        ///< false: from a trace
  bool keep_tensors = false;      ///< StepOptions::keep_tensors
  GradientCopies gradients;
  std::shared_ptr<const TrainingAdapterFiles> training_adapters;  ///< in the steps; null: none
};

/// Device memory a run may use.
struct RunMemory {
  std::uint64_t free_bytes = 0;  ///< 0 if unknown
  std::uint64_t budget = 0;      ///< JobSpec::memory_budget
  bool may_stream = false;       ///< a device with its own memory, to which weights can be copied
  /// The smaller of free memory and budget; 0 if unlimited.
  std::uint64_t bytes() const {
    return budget > 0 && free_bytes > 0 ? std::min(budget, free_bytes)
                                        : std::max(budget, free_bytes);
  }
};

struct MemoryPlan {
  PlanReport report;  ///< without modules, data and disk
  PhaseNeeds phases;
  std::set<std::string> streamed;  ///< frozen weights that stay in host memory, by path
  std::size_t arena_bytes = 0;     ///< of the largest step, validation, live caption or sample
  std::size_t turned_bytes = 0;    ///< of weights whose codes products need transposed
  /// There is room to keep those transposed: the report's weights include it.
  bool keeps_turned = false;
};

/// Memory of a run, without loading anything. If it needs more than allowed, frozen weights of the
/// steps, the samples and the encoding stay in host memory, the largest first, until it fits or
/// none is left. What is known to be left over is used for transposed codes.
MemoryPlan make_memory_plan(Kernels& kernels, const WeightSource& source,
                            const PrecisionPlan& precision, const TextOptions& text,
                            const RunShapes& shapes, const RunMemory& memory);

}  // namespace mantissa
