#include "engine/plan/backend.h"

#include <algorithm>
#include <charconv>
#include <numeric>
#include <optional>
#include <string_view>
#include <thread>

#include "engine/core/error.h"
#include "engine/core/paths.h"
#include "engine/core/system.h"
#include "engine/plan/cuda_problem.h"
#include "engine/plan/job.h"
#include "engine/toolkit/installed.h"
#include "kernels/check.h"
#include "kernels/cpu/cpu.h"
#include "kernels/device_lost.h"

namespace mantissa {

namespace {

/// The cards that "cuda", "cuda:1" or "cuda:0,2" names, none for any; no value for the CPU.
std::optional<std::vector<int>> cards_of(const std::string& device) {
  if (device == "cpu" || device.empty()) {
    return std::nullopt;
  }
  constexpr std::string_view kName = "cuda";
  std::vector<int> cards;
  if (device == kName) {
    return cards;
  }
  const char* at = device.data() + kName.size();
  const char* const end = device.data() + device.size();
  for (char before = ':'; device.starts_with(kName) && at < end && *at == before; before = ',') {
    int card = 0;
    const auto [rest, error] = std::from_chars(at + 1, end, card);
    if (error != std::errc() || card < 0) {
      break;
    }
    cards.push_back(card);
    at = rest;
  }
  if (cards.empty() || at != end) {
    throw Error(message<"device '{device}' is unknown. Use cpu or cuda:0; `mantissa devices` lists "
                        "what is there">(device));
  }
  return cards;
}

/// The only card of a device.
std::optional<int> card_of(const std::string& device) {
  const std::optional<std::vector<int>> cards = cards_of(device);
  if (!cards) {
    return std::nullopt;
  }
  if (cards->size() > 1) {
    throw Error(
        message<"device '{device}' names {count} cards, which only `mantissa train` uses together. "
                "Name one">(device, cards->size()));
  }
  return cards->empty() ? 0 : cards->front();
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
    return load_cuda_kernels(
        *card,
        {.deterministic = deterministic,
         .cache_folder = path_to_utf8(cache_dir() / "cuda"),
         .pinned_limit = pinned_memory_limit() / static_cast<std::uint64_t>(sharing)},
        cuda_library_folder());
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

std::uint64_t pinned_memory_limit() {
#if defined(_WIN32)
  return total_memory() / 2;  // Windows allows no more
#else
  return total_memory() / 4 * 3;  // what is page-locked is lost to every other program
#endif
}

std::vector<std::unique_ptr<Kernels>> make_backends(const JobSpec& job, int sharing) {
  std::vector<std::unique_ptr<Kernels>> all;
  for (const SplitDevice& device : job.split) {
    all.push_back(make_backend(device.name, job.deterministic, sharing));
  }
  if (all.empty()) {
    all.push_back(make_backend(job.device, job.deterministic, sharing));
  }
  return all;
}

std::string device_of_process(const std::string& device, const ProcessPlace& process) {
  std::optional<std::vector<int>> cards = cards_of(device);
  if (!cards) {
    return device;
  }
  if (cards->empty()) {
    const std::size_t visible = cuda_report(cuda_library_folder()).devices.size();
    if (visible <= 1) {
      return "cuda:0";  // a launcher may show each process its own card; none is a problem of CUDA
    }
    cards->resize(visible);
    std::iota(cards->begin(), cards->end(), 0);
  }
  if (process.place >= static_cast<int>(cards->size())) {
    throw Error(message<"{processes} processes were started on {host}, but --device {device} gives "
                        "them {count} cards. Start one process for each card">(
        process.here, host_name(), device, cards->size()));
  }
  return "cuda:" + std::to_string((*cards)[static_cast<std::size_t>(process.place)]);
}

std::vector<std::string> devices_of(const std::string& device) {
  const std::vector<int> cards = cards_of(device).value_or(std::vector<int>());
  if (cards.size() < 2) {
    return {device};
  }
  std::vector<std::string> devices;
  for (const int card : cards) {
    const std::string name = "cuda:" + std::to_string(card);
    if (std::ranges::find(devices, name) != devices.end()) {
      throw Error(message<"device '{device}' names card {card} twice">(device, name));
    }
    devices.push_back(name);
  }
  return devices;
}

std::vector<std::string> devices_of(const JobSpec& job) {
  if (job.split.empty()) {
    return devices_of(job.device);
  }
  std::vector<std::string> devices;
  for (const SplitDevice& device : job.split) {
    devices.push_back(device.name);
  }
  return devices;
}

std::string device_of(const std::vector<std::string>& cards) {
  std::string device;
  for (const std::string& card : cards) {
    device += device.empty() ? card : "," + card.substr(card.find(':') + 1);
  }
  return device.empty() ? "cpu" : device;
}

std::string card_id(const std::string& device) {
  const std::optional<int> card = card_of(device);
  const std::vector<CudaDevice> cards =
      card ? cuda_report(cuda_library_folder()).devices : std::vector<CudaDevice>();
  return card && *card < static_cast<int>(cards.size()) ? cards[static_cast<std::size_t>(*card)].id
                                                        : std::string();
}

DeviceFacts device_facts(const std::string& device) {
  const std::optional<int> card = card_of(device);
  if (!card) {
    return {};
  }
  const CudaReport report = cuda_report(cuda_library_folder());
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
