#pragma once

#include <filesystem>

#include "engine/preset/import.h"

namespace mantissa {

/// Imports from any file: a preset, another program's configuration, or an adapter that carries one
/// of them. The type is detected by content, never by name. Throws Error naming the
/// file and what is wrong with it.
ImportResult import_preset_file(const std::filesystem::path& file);

}  // namespace mantissa
