#pragma once

#include <filesystem>

namespace mantissa {

/// Before anything is written to `out`, a file or a folder. Throws Error where that would replace
/// what is there already and `overwrite` was not asked for: a file, a link, a folder that is not
/// empty. What is neither file nor folder (a device, a pipe) is refused in any case, and so is a
/// path that the system can't look up.
void refuse_overwrite(const std::filesystem::path& out, bool overwrite);

}  // namespace mantissa
