#include "engine/train/paging_watch.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "engine/plan/plan_run.h"

namespace mantissa {
namespace {

/// The least free of the run's cards; none on a host.
DeviceMemory tightest(const RunParts& parts) {
  if (parts.devices == nullptr) {
    return parts.kernels.memory();
  }
  DeviceMemory least = parts.devices->kernels(0).memory();
  for (int i = 1; i < parts.devices->count(); ++i) {
    const DeviceMemory other = parts.devices->kernels(i).memory();
    least = other.free < least.free ? other : least;
  }
  return least;
}

long long megabytes(std::uint64_t bytes) {
  return std::llround(static_cast<double>(bytes) / 1e6);
}

/// What to change, if something would help.
Message way_out(const RunParts& parts) {
  const RunNeeds now{parts.plan.report.peak_bytes, estimated_step(parts.plan, parts.kernels)};
  const auto saving = best_saving(parts.preset(), now, [&](const Preset& preset) {
    return needs_with(parts.plan, parts.kernels, preset);
  });
  if (!saving) {
    return message<"Close other programs that use the card">();
  }
  return message<
      "Close other programs that use the card, or stop and start again with {settings}, which "
      "frees {freed} MB">(as_options(saving->patch_json),
                          megabytes(now.peak_bytes - saving->needs.peak_bytes));
}

}  // namespace

bool StepPace::is_lost(double seconds) {
  constexpr double kFar = 4;  // estimates of steps are within a half
  constexpr int kSteps = 3;
  const bool slow = expected() > 0 && seconds > kFar * expected();
  fastest_ = fastest_ > 0 ? std::min(fastest_, seconds) : seconds;
  slow_in_row_ = slow ? slow_in_row_ + 1 : 0;
  return slow_in_row_ >= kSteps;
}

PagingWatch::PagingWatch(const RunParts& parts)
    : parts_(parts),
      pace_(parts.kernels.host_memory() ? 0 : estimated_step(parts.plan, parts.kernels)) {}

void PagingWatch::add(double seconds) {
  if (told_ || parts_.kernels.host_memory() || !pace_.is_lost(seconds)) {
    return;
  }
  constexpr std::size_t kMuch = 16;  // of the memory, what is free in a run with room for it
  const DeviceMemory memory = tightest(parts_);
  if (memory.free < memory.total / kMuch) {
    told_ = true;
    tell(seconds, memory);
  }
}

void PagingWatch::tell(double seconds, const DeviceMemory& memory) {
  parts_.log.line(
      LogLevel::warning,
      message<"steps take {seconds} s instead of {expected} s, and {free} MB of the card's {total} "
              "MB are free: part of its memory is in shared memory, which is the computer's RAM. "
              "{way}">(fmt::format("{:.3g}", seconds), fmt::format("{:.3g}", pace_.expected()),
                       megabytes(memory.free), megabytes(memory.total), way_out(parts_)));
}

}  // namespace mantissa
