#include "engine/plan/devices.h"

#include <fmt/format.h>
#include <thread>

#include "engine/core/cpu_features.h"
#include "engine/core/system.h"
#include "engine/plan/cuda_problem.h"
#include "engine/toolkit/installed.h"
#include "kernels/cuda_driver.h"

namespace mantissa {
namespace {

std::string library_versions(const CudaReport& report) {
  std::string text;
  const std::pair<const char*, const std::string*> parts[] = {{"CUDA", &report.runtime},
                                                              {"cuBLASLt", &report.cublas},
                                                              {"cuDNN", &report.cudnn},
                                                              {"NVRTC", &report.nvrtc}};
  for (const auto& [name, version] : parts) {
    if (!version->empty()) {
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", name, *version);
    }
  }
  return text;
}

}  // namespace

std::vector<DeviceInfo> list_devices() {
  DeviceInfo cpu;
  cpu.id = "cpu";
  cpu.name = processor_name();
  cpu.usable = true;
  cpu.threads = static_cast<int>(std::thread::hardware_concurrency());
  cpu.features = cpu_features();
  cpu.memory_bytes = total_memory();
  cpu.free_bytes = available_memory();
  std::vector<DeviceInfo> devices{cpu};
  const CudaReport report = cuda_report(cuda_library_folder());
  for (const CudaDevice& card : report.devices) {
    const CudaProblem& problem = card.problem.empty() ? report.problem : card.problem;
    DeviceInfo& gpu = devices.emplace_back();
    gpu.id = fmt::format("cuda:{}", card.ordinal);
    gpu.name = card.name;
    gpu.reason = cuda_problem_text(problem);
    gpu.lacks_libraries = lacks_libraries(problem);
    gpu.usable = gpu.reason.empty();
    gpu.compute_capability = fmt::format("{}.{}", card.capability / 10, card.capability % 10);
    gpu.driver = report.driver;
    gpu.libraries = library_versions(report);
    gpu.memory_bytes = card.memory;
    gpu.capabilities = report.capabilities;
    gpu.compiles = card.compiles;
    gpu.display = card.display;
  }
  if (report.devices.empty()) {
    DeviceInfo& gpu = devices.emplace_back();
    gpu.id = "cuda:0";
    gpu.reason = cuda_problem_text(report.problem);
    gpu.driver = report.driver;
    gpu.libraries = library_versions(report);
  }
  return devices;
}

std::vector<DeviceInfo> driver_cards() {
  const CudaReport report = driver_report(open_driver());
  std::vector<DeviceInfo> cards;
  for (const CudaDevice& card : report.devices) {
    if (report.problem.empty() && card.problem.empty()) {
      DeviceInfo& found = cards.emplace_back();
      found.id = fmt::format("cuda:{}", card.ordinal);
      found.name = card.name;
      found.usable = true;
    }
  }
  return cards;
}

}  // namespace mantissa
