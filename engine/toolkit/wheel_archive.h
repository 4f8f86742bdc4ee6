#pragma once
// Wheels are zip archives, read by libarchive. Only wheel_archive.cpp includes its headers.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <stop_token>
#include <string>

namespace mantissa {

/// Writes members of an archive to files: path in the archive → file. Each file appears complete or
/// not at all. `progress` is told the bytes written since the last call. Throws Error naming the
/// archive if it is damaged or lacks a member, DiskFull, and Error(interrupted) soon after `stop`
/// is requested.
void unpack_members(const std::filesystem::path& archive,
                    const std::map<std::string, std::filesystem::path>& members,
                    const std::stop_token& stop,
                    const std::function<void(std::uint64_t bytes)>& progress);

/// Throws Error(interrupted) if `stop` is requested.
void require_not_stopped(const std::stop_token& stop);

}  // namespace mantissa
