#pragma once

#include <optional>
#include <string_view>

#include "engine/io/model_names.h"

namespace mantissa {

/// The mapping of known non-weight tensors in any family's files: EMA copies, noise schedules,
/// position ids, markers. Empty for others.
std::optional<NameMapping> extra_tensor(std::string_view name);

}  // namespace mantissa
