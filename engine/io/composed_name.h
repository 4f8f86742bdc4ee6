#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace mantissa {

/// A name by which the forms of one text are equal: Unicode's normal form C. macOS names a file
/// "zörb" with five code points, other systems with four. Text that isn't UTF-8 stays as it is.
std::string composed(std::string_view name);

/// The same of a file's name without its folder, whose bytes stay.
std::string composed_path(const std::filesystem::path& file);

}  // namespace mantissa
