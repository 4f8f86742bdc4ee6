#pragma once

#include <map>
#include <string>
#include <string_view>

#include "engine/core/host_tensor.h"
#include "engine/preset/preset.h"

namespace mantissa {

/// Whether no tensor holds NaN or infinity.
bool is_finite(const std::map<std::string, HostTensor>& tensors);

/// Throws Error(non_finite) with finding N2 if an encoding isn't finite. `source`: the image or
/// caption; `kind`: EntryForm::kind, "text" for a caption's.
void require_finite(const Preset& preset, std::string_view source, std::string_view kind,
                    const std::map<std::string, HostTensor>& tensors);

}  // namespace mantissa
