#pragma once

#include <filesystem>
#include <memory>

#include "engine/store/sqlite.h"

namespace mantissa {

/// Opens the runs database, creating its tables in a new file, with every check. Throws
/// DamagedDatabase if the file must be set aside, Error if it is another program's or a newer
/// version's.
std::unique_ptr<Database> open_for_writing(const std::filesystem::path& file);

/// Moves a damaged database and its side files away; returns the new name.
std::filesystem::path set_aside(const std::filesystem::path& file);

}  // namespace mantissa
