#include "engine/io/mapped_file.h"

#include <algorithm>
#include <atomic>
#include <map>
#include <mutex>
#include <utility>
#include <vector>

#include "engine/core/error.h"
#include "engine/core/regular_file.h"
#include "engine/core/system_message.h"
#include "engine/io/file_call.h"
#include "engine/io/pages.h"

#ifdef _WIN32
#include <windows.h>
#else
#include <csignal>
#include <limits>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#endif

namespace mantissa {

namespace fs = std::filesystem;

#ifdef _WIN32

MappedFile::MappedFile(const fs::path& path, bool guard) : path_(path), guarded_(guard) {
  require_regular_file(path);
  // Guarded: the system keeps others from changing the file. Else they may, as a run appends to its
  // log while that is read; a file can't shrink while it is mapped.
  constexpr DWORD kShareAll = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;
  HANDLE file = CreateFileW(path.c_str(), GENERIC_READ, guard ? FILE_SHARE_READ : kShareAll,
                            nullptr, OPEN_EXISTING, FILE_ATTRIBUTE_NORMAL, nullptr);
  if (file == INVALID_HANDLE_VALUE) {
    throw Error(message<"can't open {file}: {reason}">(
        quoted(path), system_message(static_cast<int>(GetLastError()))));
  }
  LARGE_INTEGER size{};
  if (!GetFileSizeEx(file, &size)) {
    const int code = static_cast<int>(GetLastError());
    CloseHandle(file);
    throw Error(
        message<"can't read the size of {file}: {reason}">(quoted(path), system_message(code)));
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
      throw Error(message<"can't map {file}: {reason}">(quoted(path), system_message(code)));
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

void MappedFile::require_intact() const {}

void require_intact_files() {}

bool is_mapped(const fs::path&) {
  return false;
}

std::optional<FileStamp> mapped_stamp(const fs::path& path) {
  return file_stamp(path);
}

void release_pages(std::span<const std::byte>) {}  // the system reclaims unused pages when needed

#else

/// A mapping for the fault handler. Regions are never freed, only reused: the handler may walk
/// their list at any time, on any thread.
struct MappedRegion {
  static constexpr std::uintptr_t kNowhere = std::numeric_limits<std::uintptr_t>::max();
  std::atomic<std::uintptr_t> begin{kNowhere}, end{0};
  std::atomic<bool> failed{false};
  MappedRegion* next = nullptr;  ///< constant once the region is in the list
  // Under the mutex:
  bool used = false, told = false;
  fs::path path;
};

namespace {

static_assert(std::atomic<std::uintptr_t>::is_always_lock_free);

// A handler can only access static storage.
std::atomic<MappedRegion*> regions{nullptr};
std::atomic<bool> any_failed{false};
std::atomic<std::uintptr_t> page_size{4096};
struct sigaction handler_before {};

/// Maps zeros in place of unreadable bytes, from the fault to the mapping's end; the reader
/// continues, and detects it when it checks.
bool replace_by_zeros(std::uintptr_t at) {
  for (MappedRegion* r = regions.load(); r != nullptr; r = r->next) {
    const std::uintptr_t end = r->end.load();
    if (at < r->begin.load() || at >= end) {
      continue;
    }
    r->failed.store(true);
    any_failed.store(true);
    const std::uintptr_t page = at / page_size.load() * page_size.load();
    return ::mmap(reinterpret_cast<void*>(page), end - page, PROT_READ,
                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) != MAP_FAILED;
  }
  return false;
}

extern "C" void on_bus_error(int signal, siginfo_t* info, void* context) {
  const int kept = errno;
  const bool by_kernel = info->si_code > 0;
  if (by_kernel && replace_by_zeros(reinterpret_cast<std::uintptr_t>(info->si_addr))) {
    errno = kept;
    return;
  }
  // Not ours: passed to the previous handler, which by default ends the program.
  if ((handler_before.sa_flags & SA_SIGINFO) != 0) {
    handler_before.sa_sigaction(signal, info, context);
  } else if (handler_before.sa_handler != SIG_DFL && handler_before.sa_handler != SIG_IGN) {
    handler_before.sa_handler(signal);
  } else {
    ::sigaction(SIGBUS, &handler_before, nullptr);
    if (!by_kernel) {
      ::raise(signal);  // else the failed instruction is retried
    }
  }
}

[[noreturn]] void throw_failed(const fs::path& path) {
  throw Error(
      message<"{file} shrank or could not be read while in use; nothing made from it was kept. "
              "Restore the file and leave it unchanged while it is in use">(quoted(path)));
}

/// The files that this process has mapped. One per process, like mappings and signal handlers;
/// private to this file.
class MappedFiles {
 public:
  MappedFiles() {
    page_size = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
    struct sigaction action {};
    action.sa_sigaction = on_bus_error;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    sigemptyset(&action.sa_mask);
    ::sigaction(SIGBUS, &action, &handler_before);
  }

  MappedRegion* add(const fs::path& path, const void* data, std::uint64_t size) {
    const std::lock_guard lock(mutex_);
    MappedRegion* region = regions.load();
    while (region != nullptr && region->used) {
      region = region->next;
    }
    if (region == nullptr) {
      region = new MappedRegion;
      region->next = regions.load();
      regions.store(region);
    }
    region->used = true;
    region->told = false;
    region->path = path;
    region->failed.store(false);
    // Set the end first, and reset it last: no address is in a half-initialised region.
    const std::uintptr_t begin = reinterpret_cast<std::uintptr_t>(data);
    region->end.store(begin + static_cast<std::uintptr_t>(size));
    region->begin.store(begin);
    return region;
  }
  void remove(MappedRegion* region) {
    const std::lock_guard lock(mutex_);
    region->begin.store(MappedRegion::kNowhere);
    region->end.store(0);
    if (region->failed.load() && !region->told) {
      untold_.push_back(region->path);
    }
    region->used = false;
  }
  void require_intact(MappedRegion* region) {
    const std::lock_guard lock(mutex_);
    if (region->failed.load()) {
      region->told = true;
      throw_failed(region->path);
    }
  }
  void require_all_intact() {
    const std::lock_guard lock(mutex_);
    any_failed.store(false);
    for (MappedRegion* r = regions.load(); r != nullptr; r = r->next) {
      if (r->used && r->failed.load()) {
        any_failed.store(true);
        r->told = true;
        throw_failed(r->path);
      }
    }
    if (!untold_.empty()) {
      const fs::path path = untold_.front();
      untold_.clear();
      throw_failed(path);
    }
  }

  void guard(const FileStamp& stamp) {
    const std::lock_guard lock(mutex_);
    Guarded& file = guarded_[{stamp.device, stamp.file}];
    ++file.mappings;
    file.stamp = stamp;
  }
  void unguard(std::uint64_t device, std::uint64_t inode) {
    const std::lock_guard lock(mutex_);
    const auto at = guarded_.find({device, inode});
    if (--at->second.mappings == 0) {
      guarded_.erase(at);
    }
  }
  std::optional<FileStamp> guarded(std::uint64_t device, std::uint64_t inode) {
    const std::lock_guard lock(mutex_);
    const auto at = guarded_.find({device, inode});
    return at == guarded_.end() ? std::nullopt : std::optional(at->second.stamp);
  }

 private:
  struct Guarded {
    int mappings = 0;
    FileStamp stamp;  ///< as of the last one
  };

  std::mutex mutex_;
  std::map<std::pair<std::uint64_t, std::uint64_t>, Guarded> guarded_;
  std::vector<fs::path> untold_;  ///< closed, with a failure not yet reported
};

MappedFiles& mapped_files() {
  static MappedFiles files;
  return files;
}

}  // namespace

MappedFile::MappedFile(const fs::path& path, bool guard) : path_(path) {
  const int descriptor = open_regular_file(path);
  struct stat status {};
  if (::fstat(descriptor, &status) != 0) {
    const int code = errno;
    ::close(descriptor);
    throw Error(
        message<"can't read the size of {file}: {reason}">(quoted(path), system_message(code)));
  }
  size_ = static_cast<std::uint64_t>(status.st_size);
  if (size_ != 0) {
    void* mapped =
        ::mmap(nullptr, static_cast<std::size_t>(size_), PROT_READ, MAP_PRIVATE, descriptor, 0);
    if (mapped == MAP_FAILED) {
      const int code = errno;
      ::close(descriptor);
      throw Error(code == ENOMEM ? ErrorKind::out_of_memory : ErrorKind::input,
                  message<"can't map {file}, {bytes} bytes: {reason}">(quoted(path), size_,
                                                                       system_message(code)));
    }
    data_ = static_cast<const std::byte*>(mapped);
    region_ = mapped_files().add(path, mapped, size_);
  }
  ::close(descriptor);
  device_ = static_cast<std::uint64_t>(status.st_dev);
  inode_ = static_cast<std::uint64_t>(status.st_ino);
  guarded_ = guard;
  if (guarded_) {
    mapped_files().guard(stamp_of(status));
  }
}

MappedFile::~MappedFile() {
  if (data_ != nullptr) {
    mapped_files().remove(region_);  // before its addresses can be reused
    ::munmap(const_cast<std::byte*>(data_), static_cast<std::size_t>(size_));
  }
  if (guarded_) {
    mapped_files().unguard(device_, inode_);
  }
}

void MappedFile::require_intact() const {
  if (region_ != nullptr && region_->failed.load()) {
    mapped_files().require_intact(region_);
  }
}

void require_intact_files() {
  if (any_failed.load()) {
    mapped_files().require_all_intact();
  }
}

bool is_mapped(const fs::path& path) {
  return mapped_stamp(path).has_value();
}

std::optional<FileStamp> mapped_stamp(const fs::path& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0
             ? mapped_files().guarded(static_cast<std::uint64_t>(status.st_dev),
                                      static_cast<std::uint64_t>(status.st_ino))
             : std::nullopt;
}

void release_pages(std::span<const std::byte> mapped) {
  const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
  const auto first = reinterpret_cast<std::uintptr_t>(mapped.data());
  const std::uintptr_t begin = (first + page - 1) / page * page;
  const std::uintptr_t end = (first + mapped.size()) / page * page;
  if (begin < end) {
    // Only a hint: on failure the pages just stay.
    (void)::madvise(reinterpret_cast<void*>(begin), end - begin, MADV_DONTNEED);
  }
}

#endif

}  // namespace mantissa
