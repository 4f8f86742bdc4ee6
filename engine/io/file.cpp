#include "engine/io/file.h"

#include <algorithm>
#include <string>
#include <utility>

#include "engine/core/amount_text.h"
#include "engine/core/disk_full.h"
#include "engine/core/regular_file.h"
#include "engine/core/system_message.h"
#include "engine/io/file_call.h"
#include "engine/io/mapped_file.h"

#ifdef _WIN32
#include <windows.h>
#else
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#endif

namespace mantissa {

namespace fs = std::filesystem;

namespace {

fs::path parent_of(const fs::path& path) {
  const fs::path parent = path.parent_path();
  return parent.empty() ? fs::path(".") : parent;
}

Message in_use_message(const fs::path& path) {
#ifdef _WIN32
  return message<
      "can't write {file}: it is open in this or another program; close it there, or "
      "choose another name">(quoted(path));
#else
  return message<"can't write {file}: it is open for reading by this program; choose another name">(
      quoted(path));
#endif
}

/// An error of the last system call, by errno or, on Windows, by GetLastError. The C library's
/// calls there give errno too, so a number alone does not tell which it is.
std::error_code of_system(int code) {
  return {code, std::system_category()};
}

/// Throws why `path` could not be written. `needed`: bytes for a retry.
[[noreturn]] void fail_writing(const fs::path& path, const Message& action, std::uint64_t needed,
                               const std::error_code& code) {
#ifndef _WIN32
  if (code.value() == EFBIG) {  // waiting doesn't help
    throw Error(
        ErrorKind::out_of_disk,
        message<"could not {action} {file}: {reason}; raise the limit of file sizes (ulimit -f) or "
                "choose another file system">(action, quoted(path), system_message(code)));
  }
#endif
  if (!is_disk_full(code)) {
    throw Error(
        message<"could not {action} {file}: {reason}">(action, quoted(path), system_message(code)));
  }
  Message free;
  try {
    free = message<", {bytes} free">(bytes_text(free_disk_bytes(path)));
  } catch (const Error&) {  // the number is optional; the full disk is the message
  }
  throw DiskFull(
      parent_of(path), needed,
      message<"the disk of folder {folder} is full: could not {action} {file}, {need} "
              "needed for it{free}; free space or choose another folder">(
          quoted(parent_of(path)), action, quoted(path.filename()), bytes_text(needed), free));
}

// A name beside `path` that no other writer uses: process id and a counter of this call's probes.
fs::path temporary_name(const fs::path& path, int attempt) {
#ifdef _WIN32
  const auto process = static_cast<unsigned long>(GetCurrentProcessId());
#else
  const auto process = static_cast<unsigned long>(getpid());
#endif
  fs::path name = ".tmp-";
  name += std::to_string(process) + "-" + std::to_string(attempt) + "-";
  // Long names are truncated so that the temporary name stays within the limit.
  const std::string tail = path_to_utf8(path.filename());
  name += path_from_utf8(tail.size() > 160 ? sha256_hex(tail) : tail);
  return parent_of(path) / name;
}

#ifdef _WIN32
constexpr DWORD kShareAll = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;

/// Calls `call`, which returns the system's error, 0 for none, and returns the last one. Virus
/// scanners, indexers and editors hold what was just written for some tens of milliseconds, so a
/// refusal counts after a second.
template <typename Call>
DWORD insist(const Call& call) {
  constexpr DWORD kLongestWait = 640;
  for (DWORD wait = 10;; wait *= 2) {
    const DWORD code = call();
    if ((code != ERROR_ACCESS_DENIED && code != ERROR_SHARING_VIOLATION) || wait > kLongestWait) {
      return code;
    }
    Sleep(wait);
  }
}

bool is_read_only(const fs::path& path) {
  const DWORD attributes = GetFileAttributesW(path.c_str());
  return attributes != INVALID_FILE_ATTRIBUTES && (attributes & FILE_ATTRIBUTE_READONLY) != 0;
}

/// Moves a file or folder, over an existing file.
DWORD move_file(const fs::path& from, const fs::path& to) {
  return insist([&] {
    constexpr DWORD kHow = MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH;
    return MoveFileExW(from.c_str(), to.c_str(), kHow) != 0 ? 0 : GetLastError();
  });
}
#else
void sync_path(const fs::path& path, int flags, const Message& what) {
  const int descriptor = retry_open(path, flags);
  if (descriptor < 0) {
    throw Error(message<"can't open {what} {path} to make it durable: {reason}">(
        what, quoted(path), system_message(errno)));
  }
  const int result = ::fsync(descriptor);
  const int code = errno;
  ::close(descriptor);
  if (result != 0 && is_disk_full(of_system(code))) {
    fail_writing(path, message<"sync">(), 1, of_system(code));
  }
  // Some network file systems can't sync a folder; which EINVAL reports; nothing more can be done.
  if (result != 0 && code != EINVAL) {
    throw Error(message<"the system could not make {what} {path} durable: {reason}; treat the save "
                        "as failed and check the disk">(what, quoted(path), system_message(code)));
  }
}
#endif

}  // namespace

bool is_disk_full(const std::error_code& error) {
#ifndef _WIN32
  if (error.value() == EDQUOT) {  // without a portable condition
    return true;
  }
#endif
  return error == std::errc::no_space_on_device;
}

#ifdef _WIN32

AtomicFile::AtomicFile(const fs::path& path, std::uint64_t expected_bytes)
    : path_(path), expected_(expected_bytes) {
  for (int attempt = 0; handle_ == -1; ++attempt) {
    temporary_ = temporary_name(path, attempt);
    HANDLE file = CreateFileW(temporary_.c_str(), GENERIC_WRITE, 0, nullptr, CREATE_NEW,
                              FILE_ATTRIBUTE_NORMAL, nullptr);
    if (file != INVALID_HANDLE_VALUE) {
      handle_ = reinterpret_cast<std::intptr_t>(file);
    } else if (GetLastError() != ERROR_FILE_EXISTS || attempt > 1000) {
      fail(message<"create">(), static_cast<int>(GetLastError()));
    }
  }
}

AtomicFile::~AtomicFile() {
  if (handle_ != -1) {
    CloseHandle(reinterpret_cast<HANDLE>(handle_));
    DeleteFileW(temporary_.c_str());
  }
}

void AtomicFile::write(std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const DWORD part = static_cast<DWORD>(std::min<std::size_t>(bytes.size(), 1u << 30));
    DWORD done = 0;
    if (!WriteFile(reinterpret_cast<HANDLE>(handle_), bytes.data(), part, &done, nullptr)) {
      fail(message<"write">(), static_cast<int>(GetLastError()));
    }
    bytes = bytes.subspan(done);
    written_ += done;
  }
}

void AtomicFile::commit(Durable durable) {
  require_intact_files();
  HANDLE file = reinterpret_cast<HANDLE>(handle_);
  if (durable == Durable::yes && !FlushFileBuffers(file)) {
    fail(message<"sync">(), static_cast<int>(GetLastError()));
  }
  CloseHandle(file);
  handle_ = -1;
  if (is_read_only(path_)) {
    DeleteFileW(temporary_.c_str());
    throw Error(message<"can't write {file}: it is marked as read-only; clear that mark, or choose "
                        "another name">(quoted(path_)));
  }
  if (const DWORD code = move_file(temporary_, path_); code != 0) {
    DeleteFileW(temporary_.c_str());
    if (code == ERROR_ACCESS_DENIED || code == ERROR_SHARING_VIOLATION ||
        code == ERROR_USER_MAPPED_FILE) {
      throw Error(in_use_message(path_));
    }
    fail(message<"rename">(), static_cast<int>(code));
  }
}

void append_text(const fs::path& path, std::string_view text) {
  HANDLE file = INVALID_HANDLE_VALUE;
  const DWORD refused = insist([&] {
    file = CreateFileW(path.c_str(), FILE_APPEND_DATA, kShareAll, nullptr, OPEN_ALWAYS,
                       FILE_ATTRIBUTE_NORMAL, nullptr);
    return file != INVALID_HANDLE_VALUE ? 0 : GetLastError();
  });
  if (refused != 0) {
    fail_writing(path, message<"open">(), text.size(), of_system(static_cast<int>(refused)));
  }
  // A single call: the system appends it whole or reports a full disk.
  DWORD done = 0;
  const bool written =
      WriteFile(file, text.data(), static_cast<DWORD>(text.size()), &done, nullptr) != 0;
  const int code = static_cast<int>(GetLastError());
  CloseHandle(file);
  if (!written) {
    fail_writing(path, message<"append to">(), text.size(), of_system(code));
  }
}

void sync_folder(const fs::path&) {}  // NTFS journals its entries; there is no sync call

void sync_file(const fs::path& file) {
  HANDLE handle = INVALID_HANDLE_VALUE;
  const DWORD refused = insist([&] {
    handle = CreateFileW(file.c_str(), GENERIC_WRITE, kShareAll, nullptr, OPEN_EXISTING,
                         FILE_ATTRIBUTE_NORMAL, nullptr);
    return handle != INVALID_HANDLE_VALUE ? 0 : GetLastError();
  });
  if (refused != 0) {
    throw Error(message<"can't open {file} to make it durable: {reason}">(
        quoted(file), system_message(static_cast<int>(refused))));
  }
  const bool ok = FlushFileBuffers(handle) != 0;
  const int code = static_cast<int>(GetLastError());
  CloseHandle(handle);
  if (!ok) {
    throw Error(message<"the system could not make {file} durable: {reason}">(
        quoted(file), system_message(code)));
  }
}

#else

AtomicFile::AtomicFile(const fs::path& path, std::uint64_t expected_bytes)
    : path_(path), expected_(expected_bytes) {
  if (is_mapped(path)) {
    throw Error(in_use_message(path));
  }
  for (int attempt = 0; handle_ == -1; ++attempt) {
    temporary_ = temporary_name(path, attempt);
    handle_ = retry_open(temporary_, O_WRONLY | O_CREAT | O_EXCL, 0666);
    if (handle_ == -1 && (errno != EEXIST || attempt > 1000)) {
      fail(message<"create">(), errno);
    }
  }
}

AtomicFile::~AtomicFile() {
  if (handle_ != -1) {
    ::close(static_cast<int>(handle_));
    ::unlink(temporary_.c_str());
  }
}

namespace {

/// If the system can't read bytes of a mapped file that shrank, write() fails without a fault:
/// reading them here identifies the file.
void require_readable(std::span<const std::byte> bytes) {
  constexpr std::size_t kLeastPage = 4096;
  for (std::size_t at = 0; at < bytes.size(); at += kLeastPage) {
    (void)*static_cast<const volatile std::byte*>(&bytes[at]);
  }
  require_intact_files();
  errno = EFAULT;
}

}  // namespace

void AtomicFile::write(std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t done = ::write(static_cast<int>(handle_), bytes.data(),
                                 std::min<std::size_t>(bytes.size(), 1u << 30));
    if (done < 0) {
      if (errno == EINTR) {
        continue;
      }
      if (errno == EFAULT) {
        require_readable(bytes);
      }
      fail(message<"write">(), errno);
    }
    bytes = bytes.subspan(static_cast<std::size_t>(done));
    written_ += static_cast<std::uint64_t>(done);
  }
}

void AtomicFile::commit(Durable durable) {
  require_intact_files();
  if (durable == Durable::yes && ::fsync(static_cast<int>(handle_)) != 0) {
    fail(message<"sync">(), errno);
  }
  // close() may report a write error of a network file system; the descriptor is gone either way.
  const int descriptor = static_cast<int>(std::exchange(handle_, -1));
  if (::close(descriptor) != 0 && errno != EINTR) {
    const int code = errno;
    ::unlink(temporary_.c_str());
    fail(message<"close">(), code);
  }
  if (is_mapped(path_)) {
    ::unlink(temporary_.c_str());
    throw Error(in_use_message(path_));
  }
  if (::rename(temporary_.c_str(), path_.c_str()) != 0) {
    const int code = errno;
    ::unlink(temporary_.c_str());
    fail(message<"rename">(), code);
  }
  if (durable == Durable::yes) {
    sync_folder(parent_of(path_));
  }
}

void append_text(const fs::path& path, std::string_view text) {
  const int descriptor = retry_open(path, O_WRONLY | O_CREAT | O_APPEND, 0666);
  if (descriptor < 0) {
    fail_writing(path, message<"open">(), text.size(), of_system(errno));
  }
  if (!is_regular(descriptor)) {
    ::close(descriptor);
    throw Error(
        message<"can't write {file}: it is not a regular file; choose another path">(quoted(path)));
  }
  const off_t before = ::lseek(descriptor, 0, SEEK_END);
  for (std::size_t at = 0; at < text.size();) {
    const ssize_t done = ::write(descriptor, text.data() + at, text.size() - at);
    if (done < 0 && errno == EINTR) {
      continue;
    }
    if (done < 0) {
      const int code = errno;
      const bool whole = at == 0 || ::ftruncate(descriptor, before) == 0;  // remove a partial line
      ::close(descriptor);
      fail_writing(path, whole ? message<"append to">() : message<"append all of a line to">(),
                   text.size(), of_system(code));
    }
    at += static_cast<std::size_t>(done);
  }
  ::close(descriptor);
}

void sync_folder(const fs::path& folder) {
  sync_path(folder.empty() ? fs::path(".") : folder, O_RDONLY | O_DIRECTORY,
            message<"the folder">());
}

void sync_file(const fs::path& file) {
  sync_path(file, O_RDONLY, message<"the file">());
}

#endif

void AtomicFile::fail(const Message& action, int code) {
  fail_writing(path_, action, std::max(expected_, written_ + 1), of_system(code));
}

void atomic_write(const fs::path& path, std::span<const std::byte> bytes) {
  AtomicFile file(path, bytes.size());
  file.write(bytes);
  file.commit();
}

void atomic_write(const fs::path& path, std::string_view text) {
  atomic_write(path, std::as_bytes(std::span(text)));
}

std::string read_text(const fs::path& path, std::uint64_t max_bytes) {
  return with_mapped(path, [&](std::span<const std::byte> bytes) {
    if (bytes.size() > max_bytes) {
      throw Error(
          message<"{file} has {bytes} bytes; at most {most} are allowed for this kind of file">(
              quoted(path), bytes.size(), max_bytes));
    }
    return std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  });
}

std::string read_bytes(const fs::path& path, std::uint64_t count) {
  return with_mapped(path, [&](std::span<const std::byte> bytes) {
    return std::string(reinterpret_cast<const char*>(bytes.data()),
                       static_cast<std::size_t>(std::min<std::uint64_t>(count, bytes.size())));
  });
}

std::uint64_t free_disk_bytes(const fs::path& path) {
  // The nearest folder that exists: the path itself may not exist yet.
  std::error_code error;
  fs::path place = fs::absolute(path, error);
  while (!place.empty() && !fs::exists(place, error) && place.has_relative_path()) {
    place = place.parent_path();
  }
  const fs::space_info space = fs::space(place, error);
  if (error) {
    throw Error(message<"can't tell the free space of {path}: {reason}">(quoted(path),
                                                                         system_message(error)));
  }
  return static_cast<std::uint64_t>(space.available);
}

void make_folders(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) {
    fail_writing(folder, message<"make the folder">(), 1, error);
  }
}

void rename_durably(const fs::path& from, const fs::path& to) {
  std::error_code error;
#ifdef _WIN32
  error = of_system(static_cast<int>(move_file(from, to)));
#else
  fs::rename(from, to, error);
#endif
  if (error) {
    fail_writing(to, message<"rename {file} to">(quoted(from)), 1, error);
  }
  sync_folder(parent_of(to));
}

}  // namespace mantissa
