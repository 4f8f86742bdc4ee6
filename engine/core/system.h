#pragma once
// defines: available_memory, total_memory, resident_memory, processor_name, host_name, process_id

#include <cstdint>
#include <string>

namespace mantissa {

/// Bytes of main memory that can still be taken without swapping; 0 where the platform can't tell.
std::uint64_t available_memory();
std::uint64_t total_memory();
/// Bytes this process holds in memory now, and the most it ever held.
std::uint64_t resident_memory();
std::uint64_t peak_resident_memory();
/// "AMD EPYC 9654"; empty where the platform can't tell.
std::string processor_name();
std::string host_name();
std::int64_t process_id();

}  // namespace mantissa
