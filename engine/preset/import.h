#pragma once
// Import of presets from other programs' configurations.

#include <map>
#include <string>
#include <string_view>

#include "engine/preset/import_result.h"

namespace mantissa {

/// Reads a preset or another program's configuration, in JSON, TOML or YAML; detected by its keys.
/// A file of data sets that it names is read too, if `beside` has it. The limits of preset_limits.h
/// hold for all. Throws Error naming line and problem if the text is none of them or breaks a
/// limit, and UnsupportedFamily.
ImportResult import_preset_text(std::string_view text, std::string_view source_name,
                                const FileBeside& beside = {});

/// From an adapter's metadata: its embedded preset, the configuration that OneTrainer embeds, or
/// sd-scripts' record of a run. Throws Error if it contains none of them. `adapts_text`: whether
/// the adapter has layers of text encoders, which sd-scripts doesn't record.
ImportResult import_preset_metadata(const std::map<std::string, std::string>& metadata,
                                    std::string_view source_name, bool adapts_text = true);

}  // namespace mantissa
