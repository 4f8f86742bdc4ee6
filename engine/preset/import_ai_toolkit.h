#pragma once

#include <string_view>

#include "engine/preset/import_result.h"
#include "engine/preset/preset_text.h"

namespace mantissa {

/// From the tree of a job of ostris' AI Toolkit, of YAML or JSON.
ImportResult import_ai_toolkit(const JsonNode& root, std::string_view source_name);

bool looks_like_ai_toolkit(const JsonNode& root);

}  // namespace mantissa
