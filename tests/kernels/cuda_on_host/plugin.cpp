// The CUDA library of tests: the app loads it in place of the real one (MANTISSA_CUDA_LIBRARY) and
// trains with CUDA's kernels where there is no card.
//
// Besides, tests look at the card's memory by the names below.
#include <cstdlib>

#include "kernels/load.h"

#include "host_backend.h"

namespace mantissa::testing {
namespace {

constexpr std::size_t kMemory = std::size_t{4} << 30;

CudaReport report() {
  CudaReport result;
  result.driver = result.runtime = "13.0";
  result.cublas = "on the host";
  result.devices.push_back({0, "CUDA on the host", 90, kMemory, {}});
  return result;
}

std::unique_ptr<Kernels> make(int ordinal, const CudaPluginOptions&) {
  if (ordinal != 0) {
    throw std::runtime_error("there is no card " + std::to_string(ordinal) +
                             "; this machine has 1, counted from 0");
  }
  // Protection costs more than the kernels; the run that proves that the host keeps off asks for
  // it.
  cuda_on_host::set_memory_protected(std::getenv("MANTISSA_CUDA_PROTECTED") != nullptr);
  return make_cuda_on_host();
}

}  // namespace
}  // namespace mantissa::testing

extern "C" __attribute__((visibility("default"))) const mantissa::CudaApi* mantissa_cuda_api() {
  static constexpr mantissa::CudaApi kApi{MANTISSA_BUILD, mantissa::testing::report,
                                          mantissa::testing::make};
  return &kApi;
}

/// The most device memory that was given at a time since the last reset.
extern "C" __attribute__((visibility("default"))) std::size_t mantissa_on_host_peak() {
  return cuda_on_host::memory_peak();
}
extern "C" __attribute__((visibility("default"))) void mantissa_on_host_reset_peak() {
  cuda_on_host::reset_memory_peak();
}
/// Recordings made since the library was loaded.
extern "C" __attribute__((visibility("default"))) std::int64_t mantissa_on_host_recordings() {
  return cuda_on_host::graphs_instantiated();
}
/// What the card can give in all from now on.
extern "C" __attribute__((visibility("default"))) void mantissa_on_host_limit(std::size_t bytes) {
  cuda_on_host::set_memory_limit(bytes);
}
