// The only file that queries the operating system about this machine and process.
#include "engine/core/system.h"

#include <array>
#include <fstream>
#include <limits>
#include <sstream>

#ifdef _WIN32
#include <windows.h>
// psapi.h needs windows.h first
#include <psapi.h>
#else
#include <cerrno>
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>
#endif

#include "engine/core/paths.h"

namespace mantissa {

#ifdef _WIN32

namespace {
MEMORYSTATUSEX memory_status() {
  MEMORYSTATUSEX status{};
  status.dwLength = sizeof(status);
  GlobalMemoryStatusEx(&status);
  return status;
}
PROCESS_MEMORY_COUNTERS process_memory() {
  PROCESS_MEMORY_COUNTERS counters{};
  GetProcessMemoryInfo(GetCurrentProcess(), &counters, sizeof(counters));
  return counters;
}
}  // namespace

std::uint64_t available_memory() {
  return memory_status().ullAvailPhys;
}
std::uint64_t total_memory() {
  return memory_status().ullTotalPhys;
}
std::uint64_t resident_memory() {
  return process_memory().WorkingSetSize;
}
std::uint64_t peak_resident_memory() {
  return process_memory().PeakWorkingSetSize;
}
std::uint64_t free_address_space() {
  return std::numeric_limits<std::uint64_t>::max();
}
std::uint64_t largest_file() {
  return std::numeric_limits<std::uint64_t>::max();
}
std::string processor_name() {
  std::array<char, 256> text{};
  DWORD size = static_cast<DWORD>(text.size());
  RegGetValueA(HKEY_LOCAL_MACHINE, "HARDWARE\\DESCRIPTION\\System\\CentralProcessor\\0",
               "ProcessorNameString", RRF_RT_REG_SZ, nullptr, text.data(), &size);
  return text.data();
}
std::string host_name() {
  std::array<wchar_t, 256> text{};
  DWORD size = static_cast<DWORD>(text.size());
  GetComputerNameW(text.data(), &size);
  return path_to_utf8(text.data());
}
std::int64_t process_id() {
  return static_cast<std::int64_t>(GetCurrentProcessId());
}
void open_standard_streams() {}  // handles of streams are apart from those of files
void restrict_library_search() {
  SetDefaultDllDirectories(LOAD_LIBRARY_SEARCH_DEFAULT_DIRS);
  SetDllDirectoryW(L"");  // for legacy searches: without the current folder
}

#else

namespace {

/// The number in kB after "key:" in a /proc file, as bytes; 0 if absent.
std::uint64_t proc_bytes(const char* file, const std::string& key) {
  std::ifstream in(file);
  std::string line;
  while (std::getline(in, line)) {
    if (line.starts_with(key + ":")) {
      std::istringstream rest(line.substr(key.size() + 1));
      std::uint64_t kilobytes = 0;
      rest >> kilobytes;
      return kilobytes * 1024;
    }
  }
  return 0;
}

}  // namespace

std::uint64_t available_memory() {
  return proc_bytes("/proc/meminfo", "MemAvailable");
}
std::uint64_t total_memory() {
  return proc_bytes("/proc/meminfo", "MemTotal");
}
std::uint64_t resident_memory() {
  return proc_bytes("/proc/self/status", "VmRSS");
}
std::uint64_t peak_resident_memory() {
  return proc_bytes("/proc/self/status", "VmHWM");
}
std::uint64_t free_address_space() {
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) {
    return std::numeric_limits<std::uint64_t>::max();
  }
  const std::uint64_t used = proc_bytes("/proc/self/status", "VmSize");
  return limit.rlim_cur > used ? limit.rlim_cur - used : 0;
}

std::uint64_t largest_file() {
  rlimit limit{};
  const bool limited = getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
  return limited ? limit.rlim_cur : std::numeric_limits<std::uint64_t>::max();
}

std::string processor_name() {
  std::ifstream in("/proc/cpuinfo");
  std::string line;
  while (std::getline(in, line)) {
    if (line.starts_with("model name")) {
      const std::size_t colon = line.find(": ");
      return colon == std::string::npos ? std::string() : line.substr(colon + 2);
    }
  }
  return {};
}

std::string host_name() {
  std::array<char, 256> text{};
  return gethostname(text.data(), text.size() - 1) == 0 ? text.data() : "";
}

std::int64_t process_id() {
  return getpid();
}

void open_standard_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(stream, F_GETFD) == -1 && errno == EBADF) {
      // The lowest free number, which is this one.
      (void)open("/dev/null", O_RDWR);
    }
  }
}

void restrict_library_search() {}  // the programs' RUNPATH suffices

#endif

}  // namespace mantissa
