#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "engine/preset/names.h"

namespace mantissa {

/// The pins of a preset by canonical patterns (io/module_path.h). Of two spellings of one pattern
/// the canonical one counts.
std::map<std::string, StorageType> canonical_pins(const std::map<std::string, StorageType>& pins);

/// The type that the module at `path` is pinned to: of the patterns that name it the one with the
/// most characters besides '*' counts, of equally long ones the last by name. Empty without any.
std::optional<StorageType> pinned_type(const std::map<std::string, StorageType>& pins,
                                       std::string_view path);

/// Pins the module at `path` in a preset's `pins`, or removes its pin: in every spelling of it.
void set_pin(std::map<std::string, StorageType>& pins, const std::string& path,
             std::optional<StorageType> type);

}  // namespace mantissa
