#include "engine/plan/backend.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>
#include <thread>

#include "engine/core/error.h"
#include "engine/core/paths.h"
#include "engine/plan/cuda_problem.h"
#include "kernels/check.h"
#include "kernels/cpu/cpu.h"
#include "kernels/device_lost.h"

namespace mantissa {

namespace {

/// The card that "cuda" or "cuda:1" names; none for the CPU.
std::optional<int> card_of(const std::string& device) {
  if (device == "cpu" || device.empty()) {
    return std::nullopt;
  }
  if (device == "cuda") {
    return 0;
  }
  constexpr std::string_view kPrefix = "cuda:";
  int ordinal = 0;
  if (device.starts_with(kPrefix)) {
    const char* end = device.data() + device.size();
    const auto [rest, error] = std::from_chars(device.data() + kPrefix.size(), end, ordinal);
    if (error == std::errc() && rest == end && ordinal >= 0) {
      return ordinal;
    }
  }
  throw Error(message<"device '{device}' is unknown. Use cpu or cuda:0; `mantissa devices` lists "
                      "what is there">(device));
}

Error unusable_device(const std::string& device, const Message& reason) {
  return Error(
      message<"device {device} can't be used: {reason}. Or use --device cpu">(device, reason));
}

}  // namespace

std::unique_ptr<Kernels> make_backend(const std::string& device, bool deterministic, int sharing) {
  const std::optional<int> card = card_of(device);
  if (!card) {
    const int cores = static_cast<int>(std::thread::hardware_concurrency());
    return make_cpu_kernels(sharing > 1 ? std::max(1, cores / sharing) : 0);
  }
  try {
    return load_cuda_kernels(*card, {deterministic, path_to_utf8(cache_dir() / "cuda")});
  } catch (const OutOfDeviceMemory&) {
    throw;
  } catch (const DeviceLost&) {
    throw;
  } catch (const CudaUnusable& e) {
    throw unusable_device(device, cuda_problem_text(e.problem));
  } catch (const std::runtime_error& e) {
    throw unusable_device(device, message_of(e));
  }
}

DeviceFacts device_facts(const std::string& device) {
  const std::optional<int> card = card_of(device);
  if (!card) {
    return {};
  }
  const CudaReport report = cuda_report();
  Message problem = report.problem.empty() ? message<"there is no card of that number">()
                                           : cuda_problem_text(report.problem);
  if (*card < static_cast<int>(report.devices.size())) {
    const CudaDevice& found = report.devices[static_cast<std::size_t>(*card)];
    if (found.problem.empty()) {
      return {found.name, found.capability};
    }
    problem = cuda_problem_text(found.problem);
  }
  throw unusable_device(device, problem);
}

}  // namespace mantissa
