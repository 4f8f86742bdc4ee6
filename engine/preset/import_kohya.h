#pragma once

#include <map>
#include <string>
#include <string_view>

#include "engine/preset/import_result.h"
#include "engine/preset/preset_text.h"

namespace mantissa {

/// From a tree of sd-scripts' --config_file or --dataset_config, or of kohya_ss. A dataset_config
/// that it names is read too, if `beside` has it.
ImportResult import_kohya(const JsonNode& root, std::string_view source_name,
                          const FileBeside& beside);

/// From the ss_* metadata of an adapter that sd-scripts wrote.
ImportResult import_kohya_metadata(const std::map<std::string, std::string>& metadata,
                                   std::string_view source_name, bool adapts_text);

/// Whose file a key makes a configuration: one of sd-scripts and its kin, or also another's.
enum class KohyaKey { unknown, shared, own };
KohyaKey kohya_key(std::string_view key);

}  // namespace mantissa
