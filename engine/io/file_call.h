#pragma once
// Helpers for system calls on files. Private to engine/io.

#include <filesystem>
#include <string>

#include "engine/core/paths.h"

#ifndef _WIN32
#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#endif

namespace mantissa {

inline std::string quoted(const std::filesystem::path& path) {
  return "'" + path_to_utf8(path) + "'";
}

#ifndef _WIN32
/// open(2), retried after EINTR. Never blocks: opening a pipe that nobody else has open would.
inline int retry_open(const std::filesystem::path& path, int flags, mode_t mode = 0) {
  int descriptor = -1;
  do {
    descriptor = ::open(path.c_str(), flags | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, mode);
  } while (descriptor < 0 && errno == EINTR);
  return descriptor;
}

/// Whether an open descriptor is of a regular file: writing to a pipe or a device keeps nothing.
inline bool is_regular(int descriptor) {
  struct stat status {};
  return ::fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode);
}
#endif

}  // namespace mantissa
