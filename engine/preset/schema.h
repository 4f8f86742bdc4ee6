#pragma once
// The one table of every setting.

#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/message.h"
#include "engine/preset/nearest_word.h"
#include "engine/preset/preset.h"
#include "engine/preset/setting.h"

namespace mantissa {

/// Every setting, in the order of the form, the reference and written presets.
std::span<const Setting> settings();

/// By key or alias; null if there is none.
const Setting* find_setting(std::string_view key);

/// By key or alias. Throws Error naming the nearest key.
const Setting& require_setting(std::string_view key);

/// Valid key closest to `key` by edit distance; empty if nothing is close.
std::string_view nearest_key(std::string_view key);

/// "adapter.rnak is not a setting; did you mean adapter.rank?"; `near` may be empty.
Message unknown_setting(std::string_view key, std::string_view nearest);

nlohmann::json get_setting(const Preset& preset, std::string_view key);

/// Checks type and range. Throws Error naming key, value and what is allowed; the preset is then
/// unchanged.
void set_setting(Preset& preset, std::string_view key, const nlohmann::json& value);

/// Checks as set_setting does, without throwing: empty if the value is accepted (and stored).
std::vector<Problem> try_set_setting(Preset& preset, std::string_view key,
                                     const nlohmann::json& value);

bool is_default(const Preset& preset, std::string_view key);
nlohmann::json default_value(std::string_view key);

/// Whether by `families` a model of this family has the setting; any may have it with `automatic`.
bool belongs(const Setting& setting, ModelFamily family);
/// False if by `applies_if` the setting has no effect in this preset, or if its family lacks it.
bool applies(const Preset& preset, const Setting& setting);

}  // namespace mantissa
