#pragma once
// What the platform knows of a run's processes.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "engine/ranks/rank_link.h"

namespace mantissa {

/// The number of processes that mpirun, mpiexec or srun started for one run, from the environment.
/// None if this process is on its own.
std::optional<int> launched_processes();

/// Links them by the library mantissa_mpi, which is opened now. Throws Error with the reason if it
/// is missing, can't be opened, or doesn't belong to the launcher.
std::unique_ptr<RankLink> open_link(int processes);

/// Equal for processes that see one another by their ids: the host, and its name space of them.
std::string process_space();
/// Whether there is such a process in this process's space.
bool process_exists(std::int64_t id);

}  // namespace mantissa
