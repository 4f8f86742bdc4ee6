#pragma once

#include <cstdint>
#include <filesystem>
#include <span>

namespace mantissa {

/// Call it before writing to `out`, a file or a folder. Without `overwrite`, throws Error if it
/// exists: a file, a link, a non-empty folder. Anything else (a device, a pipe) and a path that
/// can't be resolved are always refused.
void refuse_overwrite(const std::filesystem::path& out, bool overwrite);

/// Call it with everything a command reads, whether it may overwrite or not: throws Error if `out`
/// is one of `inputs` by any path, lies inside one that is a folder, or is a folder with one of
/// them. Inputs that don't exist count for nothing.
void refuse_input(const std::filesystem::path& out, std::span<const std::filesystem::path> inputs);

enum class OutputKind {
  file,   ///< in a folder that exists
  folder  ///< made with its parents if missing
};

/// Call it before the work whose result goes to `out`. Throws Error if nothing can be written
/// there: no such folder, no permission, a file system that is read-only or refuses the name, a
/// folder in place of a file or the other way round.
void require_place(const std::filesystem::path& out, OutputKind kind);

/// Both checks.
void require_output(const std::filesystem::path& out, OutputKind kind, bool overwrite);

/// Throws DiskFull if the file system of `out` has less free than `bytes`. One that reports no size
/// at all (some network file systems) is not asked.
void require_space(const std::filesystem::path& out, std::uint64_t bytes);

}  // namespace mantissa
