#pragma once

#include <optional>
#include <string>

#include "engine/core/message.h"
#include "engine/io/weights.h"
#include "engine/preset/preset.h"

namespace mantissa {

class DiffusionModel;

/// How many steps an image takes, and how strongly its prompt steers; 1: not beyond the model.
struct SamplingValues {
  int steps = SamplePrompt().steps;
  double guidance = SamplePrompt().guidance;
  bool operator==(const SamplingValues&) const = default;
};

/// How the pipeline of `source` samples it, where that is peculiar to it: distilled models, such as
/// FLUX.1 schnell with 4 steps and without guidance, and those that take a guidance scale. Else
/// `usual`.
SamplingValues sampling_values(const WeightSource& source, SamplingValues usual = {});
/// Sampling values of a preset's prompt; the above where it has the usual ones.
SamplingValues sampling_values(const WeightSource& source, const SamplePrompt& prompt);

/// Why a negative prompt has no effect on images of `model`; empty if it has one, or is empty.
Message unread_negative(const DiffusionModel& model, const std::string& negative, double guidance);

}  // namespace mantissa
