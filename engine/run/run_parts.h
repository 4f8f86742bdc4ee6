#pragma once

#include <string>

#include "engine/adapters/trained_set.h"
#include "engine/data/batch_source.h"
#include "engine/data/own_image_source.h"
#include "engine/graph/executor.h"
#include "engine/models/diffusion_model.h"
#include "engine/plan/planned_run.h"
#include "engine/ranks/ranks.h"
#include "engine/run/live_settings.h"
#include "engine/run/run.h"
#include "engine/run/run_control.h"
#include "engine/run/run_log.h"
#include "kernels/kernels.h"

namespace mantissa {

/// Objects shared by a run's components, once its model is bound and its images are encoded. Cheap
/// to copy; references outlive the steps.
struct RunParts {
  const PlannedRun& plan;
  const LiveSettings& settings;  ///< may change between steps
  Kernels& kernels;              ///< the first, if several devices share the layers
  Arena& arena;
  DiffusionModel& model;
  TrainedSet& adapters;
  BatchSource* batches;  ///< null if a trace is replayed, and with own_images
  RunControl& control;
  RunLog& log;
  Ranks& ranks;
  /// Devices that share the layers; null if one has all.
  const Devices* devices = nullptr;
  OwnImageSource* own_images = nullptr;  ///< in place of `batches`

  /// The device that has the loss, and decides about each step.
  Kernels& last_kernels() const {
    return devices != nullptr ? devices->kernels(devices->count() - 1) : kernels;
  }
  /// The current preset.
  const Preset& preset() const { return settings.preset(); }
  RunLength length() const { return run_length(plan, preset()); }
};

}  // namespace mantissa
