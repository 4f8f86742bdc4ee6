#pragma once

#include <span>
// Losses whose target the base model itself predicts, in the same step: its adapters are off there.

#include "engine/models/diffusion_model.h"
#include "engine/preset/preset.h"

namespace mantissa {

/// The mean squared difference between the adapted model's prediction and the base model's, for the
/// same noised latents, `text` and references, each sample times its weight [batch].
Value preservation_loss(DiffusionModel& model, Value noised, Value timesteps,
                        const TextValues& text, Value weight,
                        std::span<const Value> references = {});

/// The texts of a slider's step; `anchor` is empty without one.
struct SliderValues {
  TextValues target, positive, negative, anchor;
};

/// How strongly a slider's prompts count.
struct SliderOptions {
  double guidance = 0;
  double anchor_weight = 0;  ///< 0: no anchor
};
/// Whether a slider has a prompt that stays as it is.
inline bool has_anchor(const Preset::Slider& slider) {
  return !slider.anchor.empty() && slider.anchor_weight > 0;
}

/// What a slider's step leads to; prediction and target are those of the adapter at weight 1.
struct SliderLoss {
  Value loss, prediction, target;
};

/// The loss of a slider (arXiv 2311.12092), for the adapter at weight +1 and -1, with b the base
/// model's predictions for the same noised latents and g the guidance:
///   mean over ± of |p±(target) - (b(target) ± g·(b(positive) - b(negative)))|²
///   + anchor_weight · mean over ± of |p±(anchor) - b(anchor)|²
/// each sample times its weight [batch].
SliderLoss slider_loss(DiffusionModel& model, Value noised, Value timesteps,
                       const SliderValues& texts, Value weight, const SliderOptions& options);

}  // namespace mantissa
