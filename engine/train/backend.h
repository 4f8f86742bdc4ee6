#pragma once
// defines: make_backend, model_schedule

#include <memory>
#include <string>

#include "engine/diffusion/schedule.h"
#include "engine/io/weights.h"
#include "engine/preset/preset.h"
#include "kernels/kernels.h"

namespace mantissa {

/// The kernels of a device: "cpu". Throws Error with the reason where a device can't be used.
std::unique_ptr<Kernels> make_backend(const std::string& device);

/// The noise schedule a base model was trained with, as its scheduler config, its marker tensors
/// (v_pred, ztsnr) or the preset say.
NoiseSchedule model_schedule(const WeightSource& source, const Preset& preset);

}  // namespace mantissa
