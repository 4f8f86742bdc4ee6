#include "engine/plan/disk_plan.h"

#include <algorithm>

#include "engine/core/error.h"
#include "engine/core/paths.h"
#include "engine/io/file.h"

namespace mantissa {

PlannedDisk plan_disk(const std::filesystem::path& folder, std::uint64_t checkpoint_bytes,
                      int keep) {
  const std::uint64_t all = checkpoint_bytes * static_cast<std::uint64_t>(std::max(keep, 2) + 1);
  PlannedDisk disk{folder, all + all / 5, 0};
  try {
    disk.free_bytes = free_disk_bytes(folder);
  } catch (const Error&) {
    disk.free_bytes = disk.needed_bytes;  // unknown: assume that it fits
  }
  return disk;
}

Message disk_warning(const PlannedDisk& disk) {
  return message<
      "{folder}: the checkpoints of this run take up to {need} bytes, {free} are free. "
      "Make room there, lower output.keep, or choose another folder">(
      path_to_utf8(disk.folder), disk.needed_bytes, disk.free_bytes);
}

}  // namespace mantissa
