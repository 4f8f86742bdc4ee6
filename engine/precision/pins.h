#pragma once

#include <map>
#include <optional>
#include <string>

#include "engine/preset/names.h"

namespace mantissa {

/// The pins of a preset by canonical patterns (io/module_path.h), in the order in which they apply:
/// the last that names a module counts. Of two spellings of one pattern the canonical one counts.
std::map<std::string, StorageType> canonical_pins(const std::map<std::string, StorageType>& pins);

/// Pins the module at `path` in a preset's `pins`, or removes its pin: in every spelling of it.
void set_pin(std::map<std::string, StorageType>& pins, const std::string& path,
             std::optional<StorageType> type);

}  // namespace mantissa
