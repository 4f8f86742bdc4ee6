#pragma once

#include <memory>

#include "engine/diffusion/rectified_flow.h"
#include "engine/diffusion/schedule.h"
#include "engine/io/model_writer.h"
#include "engine/io/weights.h"

namespace mantissa {

/// What a base model says of its own training: its scheduler's configuration and the marker tensors
/// (v_pred, ztsnr) of a single file. Where it says nothing, what its family is known for.
struct SourceObjective {
  Prediction prediction = Prediction::epsilon;  ///< never automatic
  ScheduleConfig schedule;                      ///< of a VP model
  FlowConfig flow;                              ///< of a rectified flow
};
SourceObjective source_objective(const WeightSource& source);

/// The objective that a base model is trained with, where the preset doesn't say otherwise; which
/// levels are drawn how often is level_distribution's (timesteps.h). Throws Error naming the field
/// of its scheduler's configuration that isn't supported, or training.timesteps where it doesn't
/// fit the model.
std::shared_ptr<const Objective> model_objective(const WeightSource& source, const Preset& preset);

/// Records the objective in a model about to be written, in every form that programs read.
void set_objective(ModelContents& model, const Objective& objective);

}  // namespace mantissa
