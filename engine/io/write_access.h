#pragma once

#include <filesystem>
#include <system_error>

namespace mantissa {

/// Why no file can be made in a folder, or, where it doesn't exist yet, in the nearest one above
/// it; no error if one can. Writes nothing. Windows tells only when something is written.
std::error_code write_problem(const std::filesystem::path& folder);

}  // namespace mantissa
