#pragma once

#include <filesystem>

namespace mantissa {

/// Call it before writing to `out`, a file or a folder. Without `overwrite`, throws Error if it
/// exists: a file, a link, a non-empty folder. Anything else (a device, a pipe) and a path that
/// can't be resolved are always refused.
void refuse_overwrite(const std::filesystem::path& out, bool overwrite);

}  // namespace mantissa
