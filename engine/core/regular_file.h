#pragma once

#include <filesystem>

namespace mantissa {

/// Opens a regular file for reading and returns its descriptor, which the caller closes; 0 on
/// Windows, where nothing is left open. Never blocks: a pipe, a device or a socket is refused.
/// Throws Error naming the path, and Error(out_of_memory) if the process can't open more files.
int open_regular_file(const std::filesystem::path& path);

/// Throws if it isn't a regular file. Opens nothing: on POSIX, closing a file drops all locks that
/// this process has on it, those of SQLite as well.
void require_regular_file(const std::filesystem::path& path);

}  // namespace mantissa
