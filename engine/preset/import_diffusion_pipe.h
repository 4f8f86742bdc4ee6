#pragma once

#include <string_view>

#include "engine/preset/import_result.h"
#include "engine/preset/preset_text.h"

namespace mantissa {

/// The preset of a configuration of diffusion-pipe, with the file of data sets that it names, if
/// `beside` has that; or of such a file alone. `source_name` is for messages. Throws Error if it
/// trains a model that isn't offered here.
ImportResult import_diffusion_pipe(const JsonNode& root, std::string_view source_name,
                                   const FileBeside& beside);

/// Whether the file is one of the two, by keys that no other trainer has.
bool looks_like_diffusion_pipe(const JsonNode& root);

}  // namespace mantissa
