#include "engine/run/disk_wait.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "engine/io/file.h"

namespace mantissa {
namespace fs = std::filesystem;
namespace {

constexpr std::chrono::milliseconds kPoll{500};
// Quotas and network disks don't show in the free space: only a retry can tell.
constexpr std::chrono::seconds kBlindTry{30};
constexpr std::uint64_t kLeastRoom = 1 << 20;

bool lies_in(const fs::path& path, const fs::path& folder) {
  const auto [in_folder, in_path] =
      std::mismatch(folder.begin(), folder.end(), path.begin(), path.end());
  return in_folder == folder.end();
}

std::uint64_t free_bytes(const fs::path& folder) {
  try {
    return free_disk_bytes(folder);
  } catch (const Error&) {
    return 0;  // a disconnected disk has no room either
  }
}

}  // namespace

void DiskWait::keep(const std::function<void()>& write) {
  for (bool again = true;;) {
    try {
      return write();
    } catch (const DiskFull& full) {
      if (!again || gave_up_ || policy_ == OnFullDisk::stop || control_.waits_refused()) {
        throw;
      }
      again = wait(full);
    }
  }
}

/// False after a stop request. Throws if progress must not be kept.
bool DiskWait::wait(const DiskFull& full) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point start = Clock::now();
  const int stops = control_.stop_requests();
  const std::uint64_t before = free_bytes(full.folder());
  (void)control_.wait_for_room(std::chrono::milliseconds(0), stops);  // answers of an earlier wait
  tell(full);
  while (Clock::now() - start < kBlindTry && !room_for(full, before)) {
    const RunControl::RoomAnswer answer = control_.wait_for_room(kPoll, stops);
    if (answer.stop) {
      gave_up_ = true;
      break;
    }
    if (answer.retry || (answer.folder && try_move(*answer.folder))) {
      break;
    }
    if (answer.folder) {
      tell(full);
    }
  }
  ended_ = {step_, Clock::now() - start, full.folder()};
  observer_.on_state(gave_up_ ? RunState::stopping : state_);
  return !gave_up_;
}

/// Whether more space is free than when writing failed, regardless of the reported need.
bool DiskWait::room_for(const DiskFull& full, std::uint64_t before) {
  const std::uint64_t free = free_bytes(full.folder());
  return free > before && free >= std::max(full.needed(), kLeastRoom);
}

void DiskWait::tell(const DiskFull& full) {
  FullDisk report;
  report.folder = full.folder();
  report.step = step_;
  report.needed = std::max(full.needed(), kLeastRoom);
  report.free = free_bytes(full.folder());
  report.message = full.message();
  report.movable = move_ && lies_in(full.folder(), run_folder_);
  observer_.on_state(RunState::paused);
  observer_.on_disk_full(report);
}

bool DiskWait::try_move(const fs::path& folder) {
  const auto move = move_;  // which determines how the run moves on from there
  try {
    move(folder);
    return true;
  } catch (const Error& e) {
    observer_.on_log(LogLevel::error, e.message());
    return false;
  }
}

void DiskWait::allow_move(fs::path run_folder, std::function<void(const fs::path&)> move) {
  run_folder_ = std::move(run_folder);
  move_ = std::move(move);
}

}  // namespace mantissa
