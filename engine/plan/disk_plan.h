#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "engine/plan/plan_report.h"

namespace mantissa {

/// Disk space that a run's checkpoints need in `folder`, which need not exist, and the free space.
PlannedDisk plan_disk(const std::filesystem::path& folder, std::uint64_t checkpoint_bytes,
                      int keep);

/// The warning if they don't fit.
Message disk_warning(const PlannedDisk& disk);

}  // namespace mantissa
