#pragma once

#include <string_view>
#include <vector>

#include "engine/preset/preset.h"

namespace mantissa {

/// Settings that can change in a running job without a restart: keys of the schema.
std::vector<std::string_view> live_settings();
/// `running` with those settings from `wanted`.
Preset with_live_settings(const Preset& running, const Preset& wanted);

}  // namespace mantissa
