#include "engine/plan/disk_plan.h"

#include <algorithm>

#include "engine/core/amount_text.h"
#include "engine/core/error.h"
#include "engine/core/paths.h"
#include "engine/io/file.h"

namespace mantissa {

namespace {

/// Checkpoints that a run keeps at least: see output.keep.
constexpr int kLeastKept = 2;

PlannedDisk planned(const std::filesystem::path& folder, std::uint64_t bytes) {
  PlannedDisk disk{folder, bytes, 0};
  try {
    disk.free_bytes = free_disk_bytes(folder);
  } catch (const Error&) {
    disk.free_bytes = disk.needed_bytes;  // unknown: assume that it fits
  }
  return disk;
}

}  // namespace

PlannedDisk plan_disk(const std::filesystem::path& folder, const PlanReport& report, int keep) {
  const auto checkpoints = static_cast<std::uint64_t>(std::max(keep, kLeastKept) + 1);
  const std::uint64_t all = report.checkpoint_bytes * checkpoints;
  return planned(folder, all + all / 5 + report.result_bytes);
}

PlannedDisk plan_cache(std::uint64_t bytes) {
  return planned(cache_dir(), bytes);
}

Message disk_warning(const PlannedDisk& disk, int keep) {
  const std::string folder = path_to_utf8(disk.folder);
  const std::string need = bytes_text(disk.needed_bytes), free = bytes_text(disk.free_bytes);
  return keep > kLeastKept
             ? message<
                   "{folder}: the checkpoints and the result of this run take up to {need}, {free} "
                   "are free. Make room there, lower output.keep, or choose another folder">(
                   folder, need, free)
             : message<
                   "{folder}: the checkpoints and the result of this run take up to {need}, {free} "
                   "are free. Make room there, or choose another folder">(folder, need, free);
}

Message cache_warning(const PlannedDisk& cache) {
  return message<
      "{folder}: the encoded images and captions take about {need} there, {free} are free. "
      "Make room, or set data.cache to none, which keeps them in memory">(
      path_to_utf8(cache.folder), bytes_text(cache.needed_bytes), bytes_text(cache.free_bytes));
}

}  // namespace mantissa
