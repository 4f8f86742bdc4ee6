#pragma once

#include <string>

#include "engine/adapters/dialect.h"

namespace mantissa {

/// A module's path in the class of diffusers or transformers that PEFT wraps: some have another
/// level at the top than the weights' canonical names.
std::string peft_path(const ModuleToName& module);

/// A weight's or a bias's name below base_model.model. of its part's folder: "norm_out.weight" of
/// "denoiser.norm_out.weight". Empty if the reader would not find the weight again.
std::optional<std::string> peft_weight(std::string_view path, const ModelNames& base);

}  // namespace mantissa
