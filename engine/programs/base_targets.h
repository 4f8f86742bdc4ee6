#pragma once
// Losses whose target the base model itself predicts, in the same step: its adapters are off there.

#include "engine/models/diffusion_model.h"

namespace mantissa {

/// The mean squared difference between the adapted model's prediction and the base model's, for the
/// same noised latents and `text`, each sample times its weight [batch].
Value preservation_loss(DiffusionModel& model, Value noised, Value timesteps,
                        const TextValues& text, Value weight);

}  // namespace mantissa
