#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "engine/preset/preset.h"
#include "engine/preset/preset_limits.h"

namespace mantissa {

/// Reads a preset. Keys may be nested ({"adapter": {"rank": 8}}) or dotted ("adapter.rank": 8).
/// Throws Error listing every problem (at most 20), one per line: "<source>:<line>: <key> …".
Preset parse_preset(std::string_view text, std::string_view source_name);

/// Reads a file; same errors, with the file's name as source.
Preset load_preset(const std::filesystem::path& file);

enum class WriteMode { changed, full };

/// Canonical text: nested, in schema order, two spaces, ending in a newline. `changed` leaves out
/// what equals the default.
std::string to_json(const Preset& preset, WriteMode mode = WriteMode::changed);

/// "key=value": value is JSON, else a bare string ("optimizer.type=lion"; lists may be written
/// a,b). Throws Error naming key, value and what is allowed.
void apply_set(Preset& preset, std::string_view assignment);

/// Sets every key of a patch such as {"precision.compute": "bf16"} (a finding's fix).
void apply_patch(Preset& preset, const nlohmann::json& patch);

struct PresetChange {
  std::string key;
  nlohmann::json a, b;
};

/// Settings that differ, in schema order.
std::vector<PresetChange> diff_presets(const Preset& a, const Preset& b);

}  // namespace mantissa
