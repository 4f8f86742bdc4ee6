#pragma once

#include <string_view>

namespace mantissa {

/// Does a pattern of the preset (adapter.targets, training.weights, precision.pins) name the module
/// at `path`? Globs as in glob_match; "denoiser.", "unet." and "transformer." in front of one mean
/// the denoiser of whatever family.
bool names_module(std::string_view pattern, std::string_view path);

}  // namespace mantissa
