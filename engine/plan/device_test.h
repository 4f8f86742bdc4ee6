#pragma once
// A self-test of a device, for a report: what it is, whether it calculates right, how fast memory
// gets there.

#include <cstdint>
#include <string>
#include <vector>

#include "engine/plan/devices.h"
#include "engine/plan/kernel_checks.h"

namespace mantissa {

/// How fast a card multiplies codes, in operations (products and sums) a second.
struct ProductRate {
  std::string codes;             ///< "int8"
  double ours = 0, library = 0;  ///< by whose kernel: see Kernels::choose_products
};

struct DeviceTest {
  DeviceInfo device;
  std::string failure;  ///< why it couldn't be tested to the end; empty if it was
  std::vector<KernelCheck> checks;
  std::vector<std::string> notices;  ///< of the backend: what its libraries lack
  std::uint64_t free_bytes = 0;      ///< of the device's memory before the test
  // Of a card; bytes a second are from the computer's memory, 0 if not measured.
  double pinned_rate = 0, pageable_rate = 0;
  std::vector<ProductRate> products;
  std::uint64_t pinned_limit = 0;  ///< most bytes of the computer's memory that are page-locked

  bool tested() const { return device.usable; }
  /// Also of a device that can't be used: it wasn't tested.
  bool passed() const;
};

/// Takes seconds, and 200 MB of the device's memory.
DeviceTest test_device(const DeviceInfo& device);
/// For a report, in English like every report.
std::string device_test_text(const DeviceTest& test);

}  // namespace mantissa
