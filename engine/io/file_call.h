#pragma once
// Helpers for system calls on files. Private to engine/io.

#include <filesystem>
#include <string>

#include "engine/core/paths.h"

#ifndef _WIN32
#include <cerrno>
#include <fcntl.h>
#endif

namespace mantissa {

inline std::string quoted(const std::filesystem::path& path) {
  return "'" + path_to_utf8(path) + "'";
}

#ifndef _WIN32
/// open(2), retried after EINTR.
inline int retry_open(const std::filesystem::path& path, int flags, mode_t mode = 0) {
  int descriptor = -1;
  do {
    descriptor = ::open(path.c_str(), flags | O_CLOEXEC, mode);
  } while (descriptor < 0 && errno == EINTR);
  return descriptor;
}
#endif

}  // namespace mantissa
