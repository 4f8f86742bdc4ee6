#pragma once

#include <memory>

#include "engine/adapters/trained_set.h"
#include "engine/graph/executor.h"
#include "engine/models/diffusion_model.h"
#include "engine/plan/planned_run.h"
#include "engine/run/run_log.h"

namespace mantissa {

/// The base model of a run, bound for its steps, with all trained parameters in their initial
/// state.
struct BoundModel {
  /// `stacks_adapters` is false for a run begun before there were stacks
  /// (TrainedSet::keep_binding_order). `devices`, if its layers are divided among several, must
  /// outlive this; `kernels` is then the first.
  BoundModel(const PlannedRun& plan, Kernels& kernels, bool stacks_adapters,
             const Devices* devices = nullptr);
  BoundModel(const BoundModel&) = delete;  // the adapters refer to the model
  BoundModel& operator=(const BoundModel&) = delete;

  TrainedSet adapters;
  std::unique_ptr<DiffusionModel> model;
  Arena arena;  ///< for everything that runs on the model
};

/// Replaces the adapters' initial values as the job asks: from the adapter it continues from,
/// unless a checkpoint is restored, or from a replayed trace. Logs what is trained. Throws Error
/// naming a file that doesn't fit.
void load_adapters(const PlannedRun& plan, BoundModel& bound, bool restores, RunLog& log);

}  // namespace mantissa
