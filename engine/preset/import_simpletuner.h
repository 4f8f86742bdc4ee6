#pragma once

#include <string_view>

#include "engine/preset/import_result.h"
#include "engine/preset/preset_text.h"

namespace mantissa {

/// From a tree of SimpleTuner's config.json, or of the list of data backends that belongs to it.
ImportResult import_simpletuner(const JsonNode& root, std::string_view source_name);

/// From its config.env: lines of KEY=value, which stand for options of its command line.
ImportResult import_simpletuner_env(std::string_view text, std::string_view source_name);
bool looks_like_simpletuner_env(std::string_view text);
/// A config.env that only says how to launch the training, whose settings are in another file.
bool looks_like_simpletuner_launch(std::string_view text);

bool looks_like_simpletuner(const JsonNode& root);

}  // namespace mantissa
