#pragma once

#include <string_view>

#include "engine/preset/import_result.h"
#include "engine/preset/preset_text.h"

namespace mantissa {

/// From a tree of a configuration of diffusion-pipe, or of a file of its data sets, which is read
/// too if the configuration names it and `beside` has it.
ImportResult import_diffusion_pipe(const JsonNode& root, std::string_view source_name,
                                   const FileBeside& beside);

bool looks_like_diffusion_pipe(const JsonNode& root);

}  // namespace mantissa
