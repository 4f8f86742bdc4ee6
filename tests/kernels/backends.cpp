#include "tests/kernels/backends.h"

#include <cstdlib>
#include <stdexcept>

#include "kernels/cpu/cpu.h"
#include "kernels/load.h"
#include "tests/kernels/staged_kernels.h"

namespace mantissa::testing {

/// The two CPU ones, and the card in MANTISSA_TEST_DEVICE: "cuda:0".
std::vector<TestBackend> test_backends() {
  std::vector<TestBackend> backends = {
      {"cpu", [] { return make_cpu_kernels(2, CpuIsa::best); }},
      {"cpu_avx2", [] { return make_cpu_kernels(2, CpuIsa::avx2); }}};
  const char* device = std::getenv("MANTISSA_TEST_DEVICE");
  if (device != nullptr && std::string(device).rfind("cuda:", 0) == 0) {
    const int ordinal = std::atoi(device + 5);
    backends.push_back(
        {"cuda", [ordinal] { return make_staged_kernels(load_cuda_kernels(ordinal, {}, {})); }});
  } else if (device != nullptr && std::string(device) != "cpu") {
    throw std::runtime_error(std::string("MANTISSA_TEST_DEVICE must be cpu or cuda:0; it is ") +
                             device);
  }
  return backends;
}

}  // namespace mantissa::testing
