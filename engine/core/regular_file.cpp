#include "engine/core/regular_file.h"

#include <cerrno>
#include <system_error>

#include "engine/core/error.h"
#include "engine/core/paths.h"
#include "engine/core/system_message.h"

#ifndef _WIN32
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#endif

namespace mantissa {

namespace fs = std::filesystem;

namespace {

std::string quoted(const fs::path& path) {
  return "'" + path_to_utf8(path) + "'";
}

[[noreturn]] void refuse(const fs::path& path) {
  throw Error(message<"can't read {file}: it is not a regular file">(quoted(path)));
}

Message cant_open(const fs::path& path, const Message& reason) {
  return message<"can't open {file}: {reason}">(quoted(path), reason);
}

}  // namespace

void require_regular_file(const fs::path& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (!fs::exists(status)) {
    throw Error(cant_open(path, system_message(error)));
  }
  if (!fs::is_regular_file(status)) {
    refuse(path);
  }
}

#ifdef _WIN32

int open_regular_file(const fs::path& path) {
  require_regular_file(path);
  return 0;
}

#else

int open_regular_file(const fs::path& path) {
  int descriptor = -1;
  do {  // O_NONBLOCK: opening a pipe without a writer would block forever
    descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  } while (descriptor < 0 && errno == EINTR);
  if (descriptor < 0) {
    const int code = errno;
    if (code == ENXIO) {  // a socket
      refuse(path);
    }
    throw Error(code == EMFILE || code == ENFILE ? ErrorKind::out_of_memory : ErrorKind::input,
                cant_open(path, system_message(code)));
  }
  struct stat status {};
  if (::fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode)) {
    ::close(descriptor);
    refuse(path);
  }
  return descriptor;
}

#endif

}  // namespace mantissa
