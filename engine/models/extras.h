#pragma once

#include <optional>
#include <string_view>

#include "engine/io/model_names.h"

namespace mantissa {

/// What a tensor stands for that files of any family are known to carry and that is no weight:
/// copies for averaging, noise schedules, position ids, markers. Empty for others.
std::optional<NameMapping> extra_tensor(std::string_view name);

}  // namespace mantissa
