#include "kernels/cuda_driver.h"

#include <array>

#include "kernels/library.h"

namespace mantissa {
namespace {
using Kind = CudaProblem::Kind;

#if defined(_WIN32)
constexpr const char* kDriver = "nvcuda.dll";
#else
constexpr const char* kDriver = "libcuda.so.1";
#endif

constexpr int kLeastVersion = 13000;  // CUDA 13.0
// CUresult and CUdevice_attribute.
constexpr int kNoDevice = 100;
constexpr int kTimeLimit = 17, kCapabilityMajor = 75, kCapabilityMinor = 76;

template <typename Function>
void find(void* library, const char* name, Function*& function) {
  function = reinterpret_cast<Function*>(library_symbol(library, name));
}

std::string version_text(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

CudaDevice describe(const DriverCalls& driver, int ordinal) {
  CudaDevice card;
  card.ordinal = ordinal;
  card.name = "card " + std::to_string(ordinal);
  int device = 0, major = 0, minor = 0, limited = 0;
  if (const int status = driver.device(&device, ordinal); status != 0) {
    card.problem = {Kind::unknown_card, "error " + std::to_string(status)};
    return card;
  }
  std::array<char, 256> name{};
  if (driver.name(name.data(), static_cast<int>(name.size()) - 1, device) == 0) {
    card.name = name.data();
  }
  driver.attribute(&major, kCapabilityMajor, device);
  driver.attribute(&minor, kCapabilityMinor, device);
  driver.attribute(&limited, kTimeLimit, device);
  driver.memory(&card.memory, device);
  card.display = limited != 0;
  card.capability = 10 * major + minor;
  if (card.capability < kLeastCapability) {
    card.problem = {Kind::old_card, std::to_string(major) + "." + std::to_string(minor)};
  }
  return card;
}

}  // namespace

DriverCalls open_driver() {
  DriverCalls calls;
  void* const library = open_library(kDriver).handle;
  if (library == nullptr) {
    return calls;
  }
  find(library, "cuInit", calls.init);
  find(library, "cuDriverGetVersion", calls.version);
  find(library, "cuDeviceGetCount", calls.count);
  find(library, "cuDeviceGet", calls.device);
  find(library, "cuDeviceGetName", calls.name);
  find(library, "cuDeviceGetAttribute", calls.attribute);
  find(library, "cuDeviceTotalMem_v2", calls.memory);
  const bool whole = calls.init != nullptr && calls.version != nullptr && calls.count != nullptr &&
                     calls.device != nullptr && calls.name != nullptr &&
                     calls.attribute != nullptr && calls.memory != nullptr;
  return whole ? calls : DriverCalls();
}

CudaReport driver_report(const DriverCalls& driver) {
  CudaReport report;
  int version = 0, count = 0;
  if (driver.init == nullptr || driver.version(&version) != 0) {
    report.problem = {Kind::no_driver};
    return report;
  }
  report.driver = "CUDA " + version_text(version);
  if (version < kLeastVersion) {
    report.problem = {Kind::old_driver, version_text(version)};
    return report;
  }
  if (const int status = driver.init(0); status != 0) {
    report.problem = status == kNoDevice
                         ? CudaProblem{Kind::no_card}
                         : CudaProblem{Kind::driver_failed, "error " + std::to_string(status)};
    return report;
  }
  driver.count(&count);
  bool usable = false;
  for (int i = 0; i < count; ++i) {
    report.devices.push_back(describe(driver, i));
    usable = usable || report.devices.back().problem.empty();
  }
  if (!usable) {
    report.problem = {Kind::no_card};
    if (count > 0) {
      report.problem = report.devices.front().problem;
      report.problem.card = report.devices.front().name;
    }
  }
  return report;
}

}  // namespace mantissa
