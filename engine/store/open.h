#pragma once

#include <filesystem>
#include <memory>

#include "engine/store/sqlite.h"

namespace mantissa {

/// Opens the runs database, making its tables where the file is new, with every check. Throws
/// DamagedDatabase when the file must be set aside, Error when it is another program's or a newer
/// version's.
std::unique_ptr<Database> open_for_writing(const std::filesystem::path& file);

/// Moves a damaged database and its side files away; returns the new name.
std::filesystem::path set_aside(const std::filesystem::path& file);

}  // namespace mantissa
