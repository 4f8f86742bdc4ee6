#include "engine/io/run_lock.h"

#include <chrono>
#include <thread>
#include <utility>

#include "engine/core/error.h"
#include "engine/core/system_message.h"
#include "engine/io/file_call.h"

#ifdef _WIN32
#include <windows.h>
#else
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#endif

namespace mantissa {

namespace fs = std::filesystem;

namespace {

[[noreturn]] void fail_to_lock(const fs::path& file, int code) {
  throw Error(message<"can't lock {file}: {reason}; put the folder where you may write, on a file "
                      "system with locks">(quoted(file), system_message(code)));
}

}  // namespace

#ifdef _WIN32

bool RunLock::acquire(const fs::path& file) {
  HANDLE handle = CreateFileW(file.c_str(), GENERIC_READ | GENERIC_WRITE, 0, nullptr, OPEN_ALWAYS,
                              FILE_ATTRIBUTE_NORMAL, nullptr);
  if (handle == INVALID_HANDLE_VALUE) {
    if (GetLastError() == ERROR_SHARING_VIOLATION) {
      return false;
    }
    fail_to_lock(file, static_cast<int>(GetLastError()));
  }
  handle_ = reinterpret_cast<std::intptr_t>(handle);
  file_ = file;
  return true;
}

bool RunLock::is_held(const fs::path& file) {
  // Two that look at once don't see each other; the owner shares with nobody.
  constexpr DWORD kShare = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;
  HANDLE handle = CreateFileW(file.c_str(), GENERIC_READ, kShare, nullptr, OPEN_EXISTING,
                              FILE_ATTRIBUTE_NORMAL, nullptr);
  if (handle == INVALID_HANDLE_VALUE) {
    return GetLastError() == ERROR_SHARING_VIOLATION;
  }
  CloseHandle(handle);
  return false;
}

void RunLock::release() {
  if (handle_ != -1) {
    CloseHandle(reinterpret_cast<HANDLE>(std::exchange(handle_, -1)));
  }
}

bool RunLock::renew() {
  return false;  // the system doesn't allow deleting or replacing a file opened this way
}

#else

namespace {

fs::path lock_folder(const fs::path& file) {
  return file.parent_path().empty() ? fs::path(".") : file.parent_path();
}

/// Whether the name still refers to the opened file.
bool is_at(std::intptr_t descriptor, const fs::path& path) {
  struct stat opened {};
  struct stat named {};
  return ::fstat(static_cast<int>(descriptor), &opened) == 0 && ::stat(path.c_str(), &named) == 0 &&
         opened.st_dev == named.st_dev && opened.st_ino == named.st_ino;
}

enum class Taken { yes, held, impossible };

Taken take(int descriptor, int how) {
  if (::flock(descriptor, how | LOCK_NB) == 0) {
    return Taken::yes;
  }
  return errno == EWOULDBLOCK ? Taken::held : Taken::impossible;
}

/// Opens and locks the file; -1 if it is held.
int lock_file(const fs::path& file) {
  while (true) {
    const int descriptor = retry_open(file, O_RDWR | O_CREAT, 0666);
    if (descriptor < 0) {
      fail_to_lock(file, errno);
    }
    if (!is_regular(descriptor)) {
      ::close(descriptor);
      throw Error(message<"can't lock {file}: it is not a regular file; remove it">(quoted(file)));
    }
    const Taken taken = take(descriptor, LOCK_EX);
    const int code = errno;
    if (taken == Taken::yes && is_at(descriptor, file)) {
      return descriptor;
    }
    ::close(descriptor);
    if (taken == Taken::held) {
      return -1;
    }
    if (taken == Taken::impossible) {
      fail_to_lock(file, code);
    }  // else it was deleted between the two calls: the name refers to another file now
  }
}

}  // namespace

bool RunLock::acquire(const fs::path& file) {
  const int folder = retry_open(lock_folder(file), O_RDONLY | O_DIRECTORY);
  if (folder < 0) {
    fail_to_lock(file, errno);
  }
  const Taken taken = take(folder, LOCK_EX);
  if (taken == Taken::held) {
    ::close(folder);
    return false;
  }
  if (taken == Taken::yes) {
    folder_ = folder;
  } else {
    ::close(folder);  // some network file systems can only lock files
  }
  handle_ = lock_file(file);
  if (handle_ == -1) {
    release();
    return false;
  }
  file_ = file;
  return true;
}

bool RunLock::is_held(const fs::path& file) {
  for (const auto& [path, flags] :
       {std::pair{lock_folder(file), O_RDONLY | O_DIRECTORY}, std::pair{file, O_RDONLY}}) {
    const int descriptor = retry_open(path, flags);
    if (descriptor < 0) {
      continue;
    }
    const Taken taken = take(descriptor, LOCK_SH);
    ::close(descriptor);
    if (taken == Taken::held) {
      return true;
    }
  }
  return false;
}

void RunLock::release() {
  for (std::intptr_t* descriptor : {&handle_, &folder_}) {
    if (*descriptor != -1) {
      ::close(static_cast<int>(std::exchange(*descriptor, -1)));
    }
  }
}

bool RunLock::renew() {
  if (is_at(handle_, file_) && (folder_ == -1 || is_at(folder_, lock_folder(file_)))) {
    return false;
  }
  if (folder_ != -1 && is_at(folder_, lock_folder(file_))) {
    if (const int again = lock_file(file_); again != -1) {
      ::close(static_cast<int>(std::exchange(handle_, again)));
      return true;
    }
  }
  throw Error(
      message<"'{file}' is no longer this program's lock: it was removed or replaced, and another "
              "program may own the run. Nothing more is written there, earlier checkpoints are "
              "untouched. End the other program, then resume the run">(path_to_utf8(file_)));
}

#endif

RunLock::RunLock(const fs::path& file) {
  // A process checking whether the run is alive holds it briefly.
  constexpr int kTries = 25;
  for (int i = 1; !acquire(file); ++i) {
    if (i == kTries) {
      throw Error(message<"another program holds the lock {file}: the run is already open; close "
                          "it there first">(quoted(file)));
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
}

std::optional<RunLock> RunLock::try_acquire(const fs::path& file) {
  RunLock lock;
  if (!lock.acquire(file)) {
    return std::nullopt;
  }
  return lock;
}

RunLock::~RunLock() {
  release();
}

RunLock::RunLock(RunLock&& other) noexcept
    : file_(std::move(other.file_)),
      handle_(std::exchange(other.handle_, -1)),
      folder_(std::exchange(other.folder_, -1)) {}

RunLock& RunLock::operator=(RunLock&& other) noexcept {
  std::swap(file_, other.file_);
  std::swap(handle_, other.handle_);
  std::swap(folder_, other.folder_);
  return *this;
}

}  // namespace mantissa
