#pragma once

#include <string_view>

namespace mantissa {

/// Whether a pattern of the preset (adapter.targets, training.weights, precision.pins) matches the
/// module at `path`. Globs as in glob_match; the prefixes "denoiser.", "unet." and "transformer."
/// mean the denoiser of any family.
bool names_module(std::string_view pattern, std::string_view path);

}  // namespace mantissa
