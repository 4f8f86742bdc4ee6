#pragma once

#include <string>

#include "engine/adapters/dialect.h"

namespace mantissa {

/// A module's path in the class of diffusers or transformers that PEFT wraps: some have another
/// level at the top than the weights' canonical names.
std::string peft_path(const ModuleToName& module);

}  // namespace mantissa
