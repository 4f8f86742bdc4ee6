#include "engine/io/file.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <map>
#include <mutex>
#include <string>
#include <system_error>
#include <utility>

#include "engine/core/error.h"
#include "engine/io/pages.h"

#ifdef _WIN32
#include <windows.h>
#else
#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#endif

namespace mantissa {

namespace fs = std::filesystem;

namespace {

std::string quoted(const fs::path& path) {
  return "'" + path_to_utf8(path) + "'";
}

fs::path parent_of(const fs::path& path) {
  const fs::path parent = path.parent_path();
  return parent.empty() ? fs::path(".") : parent;
}

std::string reason(int code) {
  return std::system_category().message(code);
}

std::string in_use_message(const fs::path& path) {
  return "can't write " + quoted(path) +
         ": it is open for reading by this program; choose another name";
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
  // Long names are cut so that the temporary one never exceeds what the target's may have.
  const std::string tail = path_to_utf8(path.filename());
  name += path_from_utf8(tail.size() > 160 ? sha256_hex(tail) : tail);
  return parent_of(path) / name;
}

#ifndef _WIN32
// The files that this process has mapped. One per process by nature, like the mappings themselves;
// nothing outside this file sees it. (Windows refuses to replace mapped files by itself.)
class MappedFiles {
 public:
  void add(std::uint64_t device, std::uint64_t inode) {
    const std::lock_guard lock(mutex_);
    ++counts_[{device, inode}];
  }
  void remove(std::uint64_t device, std::uint64_t inode) {
    const std::lock_guard lock(mutex_);
    const auto at = counts_.find({device, inode});
    if (--at->second == 0) {
      counts_.erase(at);
    }
  }
  bool contains(std::uint64_t device, std::uint64_t inode) {
    const std::lock_guard lock(mutex_);
    return counts_.contains({device, inode});
  }

 private:
  std::mutex mutex_;
  std::map<std::pair<std::uint64_t, std::uint64_t>, int> counts_;
};

MappedFiles& mapped_files() {
  static MappedFiles files;
  return files;
}

int retry_open(const fs::path& path, int flags, mode_t mode = 0) {
  int descriptor = -1;
  do {
    descriptor = ::open(path.c_str(), flags | O_CLOEXEC, mode);
  } while (descriptor < 0 && errno == EINTR);
  return descriptor;
}

void sync_path(const fs::path& path, int flags, const char* what) {
  const int descriptor = retry_open(path, flags);
  if (descriptor < 0) {
    throw Error(std::string("can't open ") + what + " " + quoted(path) +
                " to make it durable: " + reason(errno));
  }
  const int result = ::fsync(descriptor);
  const int code = errno;
  ::close(descriptor);
  // Some network file systems can't sync a folder; EINVAL says so and nothing more can be done.
  if (result != 0 && code != EINVAL) {
    throw Error(std::string("the system could not make ") + what + " " + quoted(path) +
                " durable: " + reason(code) + "; treat the save as failed and check the disk");
  }
}
#endif

}  // namespace

#ifdef _WIN32

MappedFile::MappedFile(const fs::path& path, bool guard) : path_(path) {
  // No FILE_SHARE_WRITE or DELETE: the system itself keeps others from replacing the file.
  HANDLE file = CreateFileW(path.c_str(), GENERIC_READ, FILE_SHARE_READ, nullptr, OPEN_EXISTING,
                            FILE_ATTRIBUTE_NORMAL, nullptr);
  if (file == INVALID_HANDLE_VALUE) {
    throw Error("can't open " + quoted(path) + ": " + reason(static_cast<int>(GetLastError())));
  }
  LARGE_INTEGER size{};
  if (!GetFileSizeEx(file, &size)) {
    const int code = static_cast<int>(GetLastError());
    CloseHandle(file);
    throw Error("can't read the size of " + quoted(path) + ": " + reason(code));
  }
  size_ = static_cast<std::uint64_t>(size.QuadPart);
  if (size_ != 0) {
    HANDLE mapping = CreateFileMappingW(file, nullptr, PAGE_READONLY, 0, 0, nullptr);
    if (mapping != nullptr) {
      data_ = static_cast<const std::byte*>(MapViewOfFile(mapping, FILE_MAP_READ, 0, 0, 0));
      CloseHandle(mapping);
    }
    if (data_ == nullptr) {
      const int code = static_cast<int>(GetLastError());
      CloseHandle(file);
      throw Error("can't map " + quoted(path) + ": " + reason(code));
    }
  }
  handle_ = reinterpret_cast<std::intptr_t>(file);
}

MappedFile::~MappedFile() {
  if (data_ != nullptr) {
    UnmapViewOfFile(data_);
  }
  if (handle_ != -1) {
    CloseHandle(reinterpret_cast<HANDLE>(handle_));
  }
}

void release_pages(std::span<const std::byte>) {
}  // the system takes unused pages when it needs them

AtomicFile::AtomicFile(const fs::path& path, std::uint64_t expected_bytes)
    : path_(path), expected_(expected_bytes) {
  for (int attempt = 0; handle_ == -1; ++attempt) {
    temporary_ = temporary_name(path, attempt);
    HANDLE file = CreateFileW(temporary_.c_str(), GENERIC_WRITE, 0, nullptr, CREATE_NEW,
                              FILE_ATTRIBUTE_NORMAL, nullptr);
    if (file != INVALID_HANDLE_VALUE) {
      handle_ = reinterpret_cast<std::intptr_t>(file);
    } else if (GetLastError() != ERROR_FILE_EXISTS || attempt > 1000) {
      fail("create", static_cast<int>(GetLastError()));
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
      fail("write", static_cast<int>(GetLastError()));
    }
    bytes = bytes.subspan(done);
    written_ += done;
  }
}

void AtomicFile::commit() {
  HANDLE file = reinterpret_cast<HANDLE>(handle_);
  if (!FlushFileBuffers(file)) {
    fail("sync", static_cast<int>(GetLastError()));
  }
  CloseHandle(file);
  handle_ = -1;
  if (!MoveFileExW(temporary_.c_str(), path_.c_str(),
                   MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH)) {
    const DWORD code = GetLastError();
    DeleteFileW(temporary_.c_str());
    if (code == ERROR_ACCESS_DENIED || code == ERROR_SHARING_VIOLATION ||
        code == ERROR_USER_MAPPED_FILE) {
      throw Error(in_use_message(path_));
    }
    fail("rename", static_cast<int>(code));
  }
}

void sync_folder(const fs::path&) {}  // NTFS journals its entries; there is no call for it

void sync_file(const fs::path& file) {
  HANDLE handle = CreateFileW(file.c_str(), GENERIC_WRITE, FILE_SHARE_READ, nullptr, OPEN_EXISTING,
                              FILE_ATTRIBUTE_NORMAL, nullptr);
  if (handle == INVALID_HANDLE_VALUE) {
    throw Error("can't open " + quoted(file) +
                " to make it durable: " + reason(static_cast<int>(GetLastError())));
  }
  const bool ok = FlushFileBuffers(handle) != 0;
  const int code = static_cast<int>(GetLastError());
  CloseHandle(handle);
  if (!ok) {
    throw Error("the system could not make " + quoted(file) + " durable: " + reason(code));
  }
}

bool RunLock::acquire(const fs::path& file) {
  HANDLE handle = CreateFileW(file.c_str(), GENERIC_READ | GENERIC_WRITE, 0, nullptr, OPEN_ALWAYS,
                              FILE_ATTRIBUTE_NORMAL, nullptr);
  if (handle == INVALID_HANDLE_VALUE) {
    if (GetLastError() == ERROR_SHARING_VIOLATION) {
      return false;
    }
    throw Error("can't make the lock " + quoted(file) + ": " +
                reason(static_cast<int>(GetLastError())));
  }
  handle_ = reinterpret_cast<std::intptr_t>(handle);
  return true;
}

RunLock::~RunLock() {
  if (handle_ != -1) {
    CloseHandle(reinterpret_cast<HANDLE>(handle_));
  }
}

#else

MappedFile::MappedFile(const fs::path& path, bool guard) : path_(path) {
  const int descriptor = retry_open(path, O_RDONLY);
  if (descriptor < 0) {
    throw Error("can't open " + quoted(path) + ": " + reason(errno));
  }
  struct stat status {};
  if (::fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode)) {
    ::close(descriptor);
    throw Error("can't read " + quoted(path) + ": it is not a regular file");
  }
  size_ = static_cast<std::uint64_t>(status.st_size);
  if (size_ != 0) {
    void* mapped =
        ::mmap(nullptr, static_cast<std::size_t>(size_), PROT_READ, MAP_PRIVATE, descriptor, 0);
    if (mapped == MAP_FAILED) {
      const int code = errno;
      ::close(descriptor);
      throw Error("can't map " + quoted(path) + ": " + reason(code));
    }
    data_ = static_cast<const std::byte*>(mapped);
  }
  ::close(descriptor);
  device_ = static_cast<std::uint64_t>(status.st_dev);
  inode_ = static_cast<std::uint64_t>(status.st_ino);
  guarded_ = guard;
  if (guarded_) {
    mapped_files().add(device_, inode_);
  }
}

MappedFile::~MappedFile() {
  if (data_ != nullptr) {
    ::munmap(const_cast<std::byte*>(data_), static_cast<std::size_t>(size_));
  }
  if (guarded_) {
    mapped_files().remove(device_, inode_);
  }
}

void release_pages(std::span<const std::byte> mapped) {
  const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
  const auto first = reinterpret_cast<std::uintptr_t>(mapped.data());
  const std::uintptr_t begin = (first + page - 1) / page * page;
  const std::uintptr_t end = (first + mapped.size()) / page * page;
  if (begin < end) {
    // Only a hint: what fails is that the pages stay.
    (void)::madvise(reinterpret_cast<void*>(begin), end - begin, MADV_DONTNEED);
  }
}

namespace {

bool is_mapped(const fs::path& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 &&
         mapped_files().contains(static_cast<std::uint64_t>(status.st_dev),
                                 static_cast<std::uint64_t>(status.st_ino));
}

}  // namespace

AtomicFile::AtomicFile(const fs::path& path, std::uint64_t expected_bytes)
    : path_(path), expected_(expected_bytes) {
  if (is_mapped(path)) {
    throw Error(in_use_message(path));
  }
  for (int attempt = 0; handle_ == -1; ++attempt) {
    temporary_ = temporary_name(path, attempt);
    handle_ = retry_open(temporary_, O_WRONLY | O_CREAT | O_EXCL, 0666);
    if (handle_ == -1 && (errno != EEXIST || attempt > 1000)) {
      fail("create", errno);
    }
  }
}

AtomicFile::~AtomicFile() {
  if (handle_ != -1) {
    ::close(static_cast<int>(handle_));
    ::unlink(temporary_.c_str());
  }
}

void AtomicFile::write(std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t done = ::write(static_cast<int>(handle_), bytes.data(),
                                 std::min<std::size_t>(bytes.size(), 1u << 30));
    if (done < 0) {
      if (errno == EINTR) {
        continue;
      }
      fail("write", errno);
    }
    bytes = bytes.subspan(static_cast<std::size_t>(done));
    written_ += static_cast<std::uint64_t>(done);
  }
}

void AtomicFile::commit() {
  if (::fsync(static_cast<int>(handle_)) != 0) {
    fail("sync", errno);
  }
  // close() may report a write error of a network file system; the descriptor is gone either way.
  const int descriptor = static_cast<int>(std::exchange(handle_, -1));
  if (::close(descriptor) != 0 && errno != EINTR) {
    const int code = errno;
    ::unlink(temporary_.c_str());
    fail("close", code);
  }
  if (is_mapped(path_)) {
    ::unlink(temporary_.c_str());
    throw Error(in_use_message(path_));
  }
  if (::rename(temporary_.c_str(), path_.c_str()) != 0) {
    const int code = errno;
    ::unlink(temporary_.c_str());
    fail("rename", code);
  }
  sync_folder(parent_of(path_));
}

void sync_folder(const fs::path& folder) {
  sync_path(folder.empty() ? fs::path(".") : folder, O_RDONLY | O_DIRECTORY, "the folder");
}

void sync_file(const fs::path& file) {
  sync_path(file, O_RDONLY, "the file");
}

bool RunLock::acquire(const fs::path& file) {
  const int descriptor = retry_open(file, O_RDWR | O_CREAT, 0666);
  if (descriptor < 0) {
    throw Error("can't make the lock " + quoted(file) + ": " + reason(errno));
  }
  if (::flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
    const int code = errno;
    ::close(descriptor);
    if (code == EWOULDBLOCK) {
      return false;
    }
    throw Error("can't lock " + quoted(file) + ": " + reason(code) +
                "; put the folder on a file system with locks");
  }
  handle_ = descriptor;
  return true;
}

RunLock::~RunLock() {
  if (handle_ != -1) {
    ::close(static_cast<int>(handle_));
  }
}

#endif

void AtomicFile::fail(const char* action, int code) {
#ifdef _WIN32
  const bool full = code == ERROR_DISK_FULL || code == ERROR_HANDLE_DISK_FULL;
#else
  const bool full = code == ENOSPC || code == EDQUOT;
#endif
  if (full) {
    std::string need = expected_ > written_
                           ? std::to_string(expected_) + " bytes needed for it"
                           : "more than " + std::to_string(written_) + " bytes needed for it";
    std::string free;
    try {
      free = ", " + std::to_string(free_disk_bytes(path_)) + " free";
    } catch (const Error&) {  // the number only helps; the full disk is the message
    }
    throw Error(ErrorKind::out_of_disk, "the disk of folder " + quoted(parent_of(path_)) +
                                            " is full: could not " + action + " " +
                                            quoted(path_.filename()) + ", " + need + free +
                                            "; free space or choose another folder");
  }
  throw Error(std::string("could not ") + action + " " + quoted(path_) + ": " + reason(code));
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
  const MappedFile file(path, false);
  if (file.size() > max_bytes) {
    throw Error(quoted(path) + " has " + std::to_string(file.size()) + " bytes; at most " +
                std::to_string(max_bytes) + " are allowed for this kind of file");
  }
  return std::string(reinterpret_cast<const char*>(file.data()),
                     static_cast<std::size_t>(file.size()));
}

std::string read_bytes(const fs::path& path, std::uint64_t count) {
  const MappedFile file(path, false);
  return std::string(reinterpret_cast<const char*>(file.data()),
                     static_cast<std::size_t>(std::min(count, file.size())));
}

std::uint64_t free_disk_bytes(const fs::path& path) {
  // The nearest folder that exists: the path itself may be about to be made.
  std::error_code error;
  fs::path place = fs::absolute(path, error);
  while (!place.empty() && !fs::exists(place, error) && place.has_relative_path()) {
    place = place.parent_path();
  }
  const fs::space_info space = fs::space(place, error);
  if (error) {
    throw Error("can't tell the free space of " + quoted(path) + ": " + error.message());
  }
  return static_cast<std::uint64_t>(space.available);
}

void rename_durably(const fs::path& from, const fs::path& to) {
  std::error_code error;
  fs::rename(from, to, error);
  if (error) {
    throw Error("could not rename " + quoted(from) + " to " + quoted(to) + ": " + error.message());
  }
  sync_folder(parent_of(to));
}

RunLock::RunLock(const fs::path& file) {
  if (!acquire(file)) {
    throw Error("another program holds the lock " + quoted(file) +
                ": the run is already open; close it there first");
  }
}

std::optional<RunLock> RunLock::try_acquire(const fs::path& file) {
  RunLock lock;
  if (!lock.acquire(file)) {
    return std::nullopt;
  }
  return lock;
}

RunLock::RunLock(RunLock&& other) noexcept : handle_(std::exchange(other.handle_, -1)) {}

RunLock& RunLock::operator=(RunLock&& other) noexcept {
  std::swap(handle_, other.handle_);
  return *this;
}

}  // namespace mantissa
