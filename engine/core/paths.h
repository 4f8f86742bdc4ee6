#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace mantissa {

/// A path from UTF-8 text, and back. Every path from or to JSON, the command line, the database or
/// a message passes through these two.
std::filesystem::path path_from_utf8(std::string_view text);
std::string path_to_utf8(const std::filesystem::path& path);

/// The form in which a path is recorded and compared: absolute, without "." and "..", no separator
/// at its end. Where ".." follows a link, the place that the system finds.
std::filesystem::path whole_path(const std::filesystem::path& path);

/// The one path of an existing file or folder, however it is named: without links, under Windows
/// in the case that it was created with. Empty if there is none.
std::filesystem::path real_path(const std::filesystem::path& path);

/// Folder of the running program; empty if the platform can't report it.
std::filesystem::path executable_folder();

/// A file or folder that ships with the program. Search order: $MANTISSA_RESOURCES,
/// <program>/../share/mantissa, <program>/../share, resources/ of the source tree built from.
std::optional<std::filesystem::path> find_resource(std::string_view name);

/// A resource that must be there: else throws Error naming it and every folder searched.
std::filesystem::path resource_path(std::string_view name);

/// Folder of the runs database and of runs without --out, absolute; created when missing.
/// $MANTISSA_HOME, else $XDG_DATA_HOME/mantissa or ~/.local/share/mantissa; Windows:
/// %LOCALAPPDATA%\Mantissa. Throws Error if none can be created.
std::filesystem::path data_dir();

/// Folder of the latent and text cache; created when missing. $MANTISSA_HOME/cache, else
/// $XDG_CACHE_HOME/mantissa or ~/.cache/mantissa; Windows: %LOCALAPPDATA%\Mantissa\cache.
std::filesystem::path cache_dir();

}  // namespace mantissa
