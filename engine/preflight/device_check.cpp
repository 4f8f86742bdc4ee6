#include "engine/preflight/device_check.h"

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "engine/plan/backend.h"
#include "engine/plan/split_run.h"
#include "engine/toolkit/installed.h"
#include "kernels/card_link.h"

namespace mantissa {
namespace {

/// What joining several cards takes: micro-steps to share, and a way to exchange gradients.
void check_sharing(const JobSpec& job, int processes, bool opens_nccl, JobProblems& problems) {
  const int count = job.preset.training.gradient_accumulation;
  const int rounds = (count + processes - 1) / processes;
  const std::string fix =
      nlohmann::json{{"training.gradient_accumulation", rounds * processes}}.dump();
  if (count < processes) {
    problems.add(
        "cards", Verdict::refused,
        message<"{cards} cards share the micro-steps of each step, but "
                "training.gradient_accumulation is {count}. Set it to a multiple of {cards}; the "
                "step then has as many more images">(processes, count),
        fix);
  } else if (count % processes != 0) {
    problems.add(
        "cards", Verdict::warning,
        message<"training.gradient_accumulation is {count}, no multiple of the {cards} cards: "
                "some of them wait at the end of each step">(count, processes),
        fix);
  }
  if (const NcclLibrary nccl = opens_nccl ? open_nccl(cuda_library_folder()) : NcclLibrary();
      !nccl.error.empty()) {
    problems.add("nccl", Verdict::warning,
                 message<"NCCL can't be used: {reason}. The cards then exchange gradients through "
                         "page-locked host memory, which is slower; the result is the same">(
                     Message::verbatim(nccl.error)));
  }
}

}  // namespace

DeviceUse check_devices(const JobSpec& job, bool opens_nccl, JobProblems& problems) {
  DeviceUse use{job.device};
  if (!job.split.empty()) {
    problems.passes("split", [&] { require_splittable(job); });
    problems.passes("device", [&] {
      for (const SplitDevice& device : job.split) {
        device_facts(device.name);
      }
    });
    return use;
  }
  std::vector<std::string> devices;
  DeviceFacts first;
  const bool usable = problems.passes("device", [&] {
    devices = devices_of(job.device);
    first = device_facts(devices.front());
    for (const std::string& device : devices) {
      if (const std::string name = device_facts(device).name; name != first.name) {
        throw Error(
            message<"{first} is {name} and {second} is {other}: the cards of one run must "
                    "be of one model. Choose cards of one model, or give each card a run "
                    "of its own from the queue">(devices.front(), first.name, device, name));
      }
    }
  });
  if (usable && devices.size() > 1) {
    use.processes = static_cast<int>(devices.size());
    check_sharing(job, use.processes, opens_nccl, problems);
  }
  if (!devices.empty()) {
    use.device = devices.front();
  }
  return use;
}

}  // namespace mantissa
