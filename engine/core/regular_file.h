#pragma once

#include <filesystem>

namespace mantissa {

/// Opens a regular file for reading and returns its descriptor, which the caller closes; 0 on
/// Windows, where nothing is left open. Never waits: a pipe, a device or a socket is refused, not
/// read. Throws Error naming the path, and Error(out_of_memory) where the process may open no more
/// files.
int open_regular_file(const std::filesystem::path& path);

/// Throws as `open_regular_file` where it would.
void require_regular_file(const std::filesystem::path& path);

}  // namespace mantissa
