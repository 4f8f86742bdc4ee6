#pragma once

#include <string>

#include "engine/preset/preset.h"

namespace mantissa {

/// A run's name for people: the output's name if the preset sets one, else the preset's, else the
/// output's default.
std::string run_name(const Preset& preset);

/// A run's name in ids and folders: an output's name as it is, a preset's as lowercase words joined
/// by hyphens.
std::string run_slug(const Preset& preset);

}  // namespace mantissa
