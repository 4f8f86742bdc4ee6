#pragma once

#include <memory>

#include "engine/adapters/adapter_set.h"
#include "engine/graph/executor.h"
#include "engine/models/diffusion_model.h"
#include "engine/plan/planned_run.h"
#include "engine/train/run_log.h"

namespace mantissa {

/// The base model of a run, bound for its steps, with all that is trained in its initial state.
struct BoundModel {
  BoundModel(const PlannedRun& plan, Kernels& kernels);
  BoundModel(const BoundModel&) = delete;  // the adapters refer to the model
  BoundModel& operator=(const BoundModel&) = delete;

  AdapterSet adapters;
  std::unique_ptr<DiffusionModel> model;
  Arena arena;  ///< of whatever runs on the model
};

/// Gives the adapters the values that the job names in place of their initial ones: those of the
/// adapter it continues from, unless a checkpoint is restored, and those a replayed trace began
/// with. Says what is trained. Throws Error naming the file that doesn't fit.
void load_adapters(const PlannedRun& plan, BoundModel& bound, bool restores, RunLog& log);

}  // namespace mantissa
