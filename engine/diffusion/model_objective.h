#pragma once

#include <memory>

#include "engine/diffusion/rectified_flow.h"
#include "engine/diffusion/schedule.h"
#include "engine/io/model_writer.h"
#include "engine/io/weights.h"

namespace mantissa {

/// How a base model was trained, from its scheduler's configuration and a single file's marker
/// tensors (v_pred, ztsnr); by default its family's usual objective. `source_objective` throws
/// Error naming the tensor that marks an objective that isn't supported (edm_mean,
/// edm_vpred.sigma_max).
struct SourceObjective {
  Prediction prediction = Prediction::epsilon;  ///< never automatic
  ScheduleConfig schedule;                      ///< of a VP model
  FlowConfig flow;                              ///< of a rectified flow
};
SourceObjective source_objective(const WeightSource& source);

/// The objective of a base model, unless the preset overrides it; the distribution of levels is
/// level_distribution's (timesteps.h). Throws Error naming an unsupported field of its scheduler's
/// configuration, or training.timesteps if it doesn't fit the model.
std::shared_ptr<const Objective> model_objective(const WeightSource& source, const Preset& preset);

/// Records the objective in a model about to be written, in every form that programs read.
void set_objective(ModelContents& model, const Objective& objective);

}  // namespace mantissa
