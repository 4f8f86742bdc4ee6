#pragma once

#include <string_view>

#include "engine/preset/import_result.h"
#include "engine/preset/preset_text.h"

namespace mantissa {

/// From a tree of a OneTrainer configuration or preset, of any of its versions.
ImportResult import_onetrainer(const JsonNode& root, std::string_view source_name);

bool looks_like_onetrainer(const JsonNode& root);

/// A list of concepts alone, as OneTrainer keeps it in a file of its own.
bool looks_like_onetrainer_concepts(const JsonNode& root);
ImportResult import_onetrainer_concepts(const JsonNode& root, std::string_view source_name);

}  // namespace mantissa
