#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace mantissa {

/// A name by which the forms of one text are equal: Unicode's normal form C. macOS names a file
/// "zörb" with five code points, other systems with four. Text that isn't UTF-8 stays as it is.
std::string composed(std::string_view name);

/// A path with its file's name composed; the bytes of its folder stay.
std::string composed_path(const std::filesystem::path& file);

}  // namespace mantissa
