#pragma once

#include <string_view>

#include "engine/preset/import_result.h"
#include "engine/preset/preset_text.h"

namespace mantissa {

/// From a tree of a LyCORIS preset (the file that its argument preset names), or of the
/// configuration that SimpleTuner and others pass to it.
ImportResult import_lycoris(const JsonNode& root, std::string_view source_name);

bool looks_like_lycoris(const JsonNode& root);

}  // namespace mantissa
