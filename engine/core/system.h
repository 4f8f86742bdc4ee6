#pragma once

#include <cstdint>
#include <string>

namespace mantissa {

/// Bytes of main memory that can still be taken without swapping; 0 where the platform can't tell.
std::uint64_t available_memory();
std::uint64_t total_memory();
/// Bytes this process holds in memory now, and the most it ever held.
std::uint64_t resident_memory();
std::uint64_t peak_resident_memory();
/// Bytes of addresses that the process's own limit (ulimit -v) still leaves it; the most there are
/// where there is no limit.
std::uint64_t free_address_space();
/// "AMD EPYC 9654"; empty where the platform can't tell.
std::string processor_name();
std::string host_name();
std::int64_t process_id();
/// Windows: libraries opened from now on come from the program's own folder, System32 or folders
/// added by name, never from the current folder or PATH. To be called first in `main`.
void restrict_library_search();

}  // namespace mantissa
