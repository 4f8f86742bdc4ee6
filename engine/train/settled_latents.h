#pragma once

#include <map>
#include <string>
#include <vector>

#include "engine/adapters/trained_set.h"
#include "engine/run/run_parts.h"
#include "engine/run/training_state.h"

namespace mantissa {

/// The scale-setting weights of a trained VAE as they must be written, by name within the part:
/// with `flat` (TrainedSet::weight_values) the images' latents keep mean 0 and deviation 1, see
/// settle_scale. Empty unless layers that produce latents are trained.
std::map<std::string, std::vector<float>> settled_latents(const RunParts& parts,
                                                          TrainingState& state,
                                                          const FlatValues& flat);

}  // namespace mantissa
