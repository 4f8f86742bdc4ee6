#include "engine/io/file_stamp.h"

#include <chrono>

#include "engine/core/error.h"
#include "engine/core/system_message.h"
#include "engine/io/file_call.h"

#ifdef _WIN32
#include <windows.h>
#else
#include <sys/stat.h>
#endif

namespace mantissa {

namespace fs = std::filesystem;

namespace {

[[noreturn]] void fail_to_stamp(const fs::path& path, int code) {
  throw Error(message<"can't read {file}: {reason}">(quoted(path), system_message(code)));
}

}  // namespace

#ifdef _WIN32

FileStamp file_stamp(const fs::path& path) {
  HANDLE file = CreateFileW(path.c_str(), FILE_READ_ATTRIBUTES,
                            FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, nullptr,
                            OPEN_EXISTING, FILE_ATTRIBUTE_NORMAL, nullptr);
  if (file == INVALID_HANDLE_VALUE) {
    fail_to_stamp(path, static_cast<int>(GetLastError()));
  }
  BY_HANDLE_FILE_INFORMATION info{};
  FILE_BASIC_INFO basic{};
  const bool ok = GetFileInformationByHandle(file, &info) != 0 &&
                  GetFileInformationByHandleEx(file, FileBasicInfo, &basic, sizeof basic) != 0;
  const int code = static_cast<int>(GetLastError());
  CloseHandle(file);
  if (!ok) {
    fail_to_stamp(path, code);
  }
  const auto joined = [](DWORD high, DWORD low) {
    return (static_cast<std::uint64_t>(high) << 32) | low;
  };
  const auto since_1970 = [](LARGE_INTEGER time) -> std::int64_t {
    constexpr std::int64_t kTo1970 = 116444736000000000;  // ticks of 100 ns since 1601
    return time.QuadPart == 0 ? 0 : (time.QuadPart - kTo1970) * 100;
  };
  return {joined(info.nFileIndexHigh, info.nFileIndexLow),
          joined(info.nFileSizeHigh, info.nFileSizeLow), since_1970(basic.LastWriteTime),
          since_1970(basic.ChangeTime), info.dwVolumeSerialNumber};
}

#else

FileStamp stamp_of(const struct stat& status) {
  const auto nanoseconds = [](const timespec& time) {
    return static_cast<std::int64_t>(time.tv_sec) * 1'000'000'000 + time.tv_nsec;
  };
  return {static_cast<std::uint64_t>(status.st_ino), static_cast<std::uint64_t>(status.st_size),
          nanoseconds(status.st_mtim), nanoseconds(status.st_ctim),
          static_cast<std::uint64_t>(status.st_dev)};
}

FileStamp file_stamp(const fs::path& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) {
    fail_to_stamp(path, errno);
  }
  if (!S_ISREG(status.st_mode)) {
    throw Error(message<"can't read {file}: it is not a regular file">(quoted(path)));
  }
  return stamp_of(status);
}

#endif

bool FileStamp::differs_in_change_time_only(const FileStamp& other) const {
  FileStamp same_time = other;
  same_time.changed_ns = changed_ns;
  return *this == same_time && changed_ns != other.changed_ns;
}

std::int64_t file_clock_ns() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

}  // namespace mantissa
