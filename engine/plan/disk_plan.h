#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "engine/plan/plan_report.h"

namespace mantissa {

/// What the checkpoints of a run take in `folder`, which need not exist, and what is free there.
PlannedDisk plan_disk(const std::filesystem::path& folder, std::uint64_t checkpoint_bytes,
                      int keep);

/// What to say where they don't fit.
Message disk_warning(const PlannedDisk& disk);

}  // namespace mantissa
