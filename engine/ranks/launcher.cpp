#include "engine/ranks/launcher.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <string_view>

#include "engine/core/error.h"
#include "engine/core/paths.h"
#include "engine/core/platform.h"
#include "engine/core/system.h"
#include "kernels/library.h"

#ifdef _WIN32
#include <windows.h>
#else
#include <csignal>
#include <unistd.h>
#endif

namespace mantissa {
namespace {
namespace fs = std::filesystem;

/// A launcher's variables: one that every process it starts has, and their number.
struct Launcher {
  const char* rank;
  const char* size;
};
constexpr std::array kLaunchers{
    Launcher{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},  // Open MPI
    Launcher{"PMI_RANK", "PMI_SIZE"},                          // MPICH, Intel MPI, srun --mpi=pmi2
    Launcher{"PMIX_RANK", "SLURM_STEP_NUM_TASKS"},             // srun --mpi=pmix
};

std::optional<int> number_of(const char* variable) {
  const char* text = std::getenv(variable);
  int number = 0;
  const std::string_view digits = text != nullptr ? text : "";
  const auto [rest, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  return error == std::errc() && rest == digits.data() + digits.size() ? std::optional(number)
                                                                       : std::nullopt;
}

}  // namespace

std::optional<int> launched_processes() {
  for (const Launcher& launcher : kLaunchers) {
    const std::optional<int> size = number_of(launcher.size);
    if (number_of(launcher.rank) && size && *size > 1) {
      return size;
    }
  }
  return std::nullopt;
}

#ifdef _WIN32

static_assert(!this_platform()->several_processes);

// No library links processes here (CMakeLists.txt).
std::unique_ptr<RankLink> open_link(int processes) {
  throw Error(
      message<
          "{count} processes were started for one run, but on Windows a run has only one: start "
          "it without a launcher, and name its cards with --device">(processes));
}

std::string process_space() {
  return host_name();
}
bool process_exists(std::int64_t id) {
  const HANDLE process = OpenProcess(SYNCHRONIZE, FALSE, static_cast<DWORD>(id));
  const bool runs = process != nullptr && WaitForSingleObject(process, 0) == WAIT_TIMEOUT;
  if (process != nullptr) {
    CloseHandle(process);
  }
  return runs;
}

#else

namespace {

constexpr const char* kLibrary = "libmantissa_mpi.so";

const MpiApi* api_of(const fs::path& file) {
  const OpenedLibrary library = open_library(file);
  if (library.handle == nullptr) {
    throw Error(
        message<"{file} can't be opened: {reason}. It needs the MPI that it was built with">(
            path_to_utf8(file), library.error));
  }
  using Entry = const MpiApi* (*)();
  const auto entry = reinterpret_cast<Entry>(library_symbol(library.handle, "mantissa_mpi_api"));
  const MpiApi* api = entry != nullptr ? entry() : nullptr;
  if (api == nullptr || std::string_view(api->build) != MANTISSA_BUILD) {
    throw Error(message<"{file} is of another build than this program: install both together">(
        path_to_utf8(file)));
  }
  return api;
}

fs::path find_library(int processes) {
  const std::optional<fs::path> given = path_from_environment("MANTISSA_MPI_LIBRARY");
  if (given && given->is_absolute()) {
    return *given;
  }
  for (const fs::path& place : own_library_places(kLibrary)) {
    std::error_code ignored;
    if (fs::exists(place, ignored)) {
      return place;
    }
  }
  throw Error(
      message<"{count} processes were started for one run, but {library}, which links them, is not "
              "beside the program: build Mantissa where MPI's development files are, or start one "
              "process">(processes, kLibrary));
}

}  // namespace

std::unique_ptr<RankLink> open_link(int processes) {
  std::unique_ptr<RankLink> link = api_of(find_library(processes))->open();
  if (link->size() != processes) {
    throw Error(message<"{count} processes were started for one run, but MPI connects {size}: the "
                        "launcher and {library} belong to different MPI installations">(
        processes, link->size(), kLibrary));
  }
  return link;
}

std::string process_space() {
  std::error_code unknown;
  return host_name() + " " + fs::read_symlink("/proc/self/ns/pid", unknown).string();
}
bool process_exists(std::int64_t id) {
  return kill(static_cast<pid_t>(id), 0) == 0 || errno != ESRCH;
}

#endif

}  // namespace mantissa
