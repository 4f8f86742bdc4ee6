#pragma once
// The gate of everything that writes what an adapter changes: factors that are finite may have a
// product that isn't.

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/adapters/adapter_module.h"

namespace mantissa {

/// Throws Error naming `file`, the module and what to do if a module's change of its weight, times
/// `strength`, is beyond FP32. `base_weight` gives a DoRA's weight by its path.
void require_finite_changes(
    std::span<const AdapterModule> modules, const std::string& file,
    const std::function<std::vector<float>(std::string_view path)>& base_weight,
    double strength = 1);

/// Error of a module whose values would be written as Inf or NaN.
[[noreturn]] void refuse_overflow(const std::string& file, const std::string& module);

}  // namespace mantissa
