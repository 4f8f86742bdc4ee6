#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "engine/plan/plan_report.h"

namespace mantissa {

/// Disk space that a run's checkpoints and its result need in `folder`, which need not exist, and
/// the free space.
PlannedDisk plan_disk(const std::filesystem::path& folder, const PlanReport& report, int keep);

/// Disk space for encodings that the disk cache lacks.
PlannedDisk plan_cache(std::uint64_t bytes);

/// The warnings if they don't fit.
/// `keep`: output.keep, which isn't offered where less of it frees nothing.
Message disk_warning(const PlannedDisk& disk, int keep);
Message cache_warning(const PlannedDisk& cache);

}  // namespace mantissa
