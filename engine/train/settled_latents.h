#pragma once

#include <map>
#include <string>
#include <vector>

#include "engine/train/run_parts.h"
#include "engine/train/training_state.h"

namespace mantissa {

/// The weights of a trained VAE that give its latents their scale, by name without the part's, as
/// they are to be written: under `flat` (AdapterSet::weight_values) the latents of the images keep
/// mean 0 and deviation 1, see settle_scale. Empty where nothing that makes latents is trained.
std::map<std::string, std::vector<float>> settled_latents(const RunParts& parts,
                                                          TrainingState& state,
                                                          const std::map<Part, View>& flat);

}  // namespace mantissa
