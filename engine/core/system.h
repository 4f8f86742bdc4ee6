#pragma once

#include <cstdint>
#include <string>

namespace mantissa {

/// Bytes of RAM available without swapping; 0 if the platform can't report it.
std::uint64_t available_memory();
std::uint64_t total_memory();
/// The process's resident memory in bytes: now, and its peak.
std::uint64_t resident_memory();
std::uint64_t peak_resident_memory();
/// Bytes of address space left under the process's limit (ulimit -v); the maximum if unlimited.
std::uint64_t free_address_space();
/// Bytes that a file may have by the process's limit (ulimit -f); the maximum if unlimited.
std::uint64_t largest_file();
/// "AMD EPYC 9654"; empty if the platform can't report it.
std::string processor_name();
std::string host_name();
std::int64_t process_id();
/// Opens those of standard input, output and error that the program was started without: else the
/// next file to be opened would get their number, and what is printed would be written into it.
/// What is printed is discarded. Call it first in `main`.
void open_standard_streams();
/// Windows: libraries loaded from now on come from the program's own folder, System32 or folders
/// added by name, never from the current folder or PATH. Call it first in `main`.
void restrict_library_search();

}  // namespace mantissa
