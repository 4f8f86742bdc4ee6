// The CUDA library of tests: the app loads it instead of the real one (MANTISSA_CUDA_LIBRARY) and
// trains with CUDA's kernels without a card.
//
// Tests also inspect the card's memory through the names below.
#include <cstdlib>
#include <limits>
#include <sstream>

#include "kernels/cuda/nccl.h"
#include "kernels/load.h"

#include "cublasLt.h"
#include "host_backend.h"

namespace mantissa::testing {
namespace {

/// The card's memory: MANTISSA_CUDA_MEMORY in MiB, for plans of larger cards than the usual 4 GiB.
std::size_t card_memory() {
  const char* text = std::getenv("MANTISSA_CUDA_MEMORY");
  const std::size_t mib = text != nullptr ? std::strtoull(text, nullptr, 10) : 4096;
  return mib << 20;
}

/// MANTISSA_CUDA_CARDS: how many this machine seems to have.
int card_count() {
  const char* text = std::getenv("MANTISSA_CUDA_CARDS");
  return text != nullptr ? std::atoi(text) : 1;
}

CudaReport report() {
  CudaReport result;
  result.driver = result.runtime = "13.0";
  result.cublas = "on the host";
  result.capabilities = "9.0";
  for (int card = 0; card < card_count(); ++card) {
    CudaDevice& device = result.devices.emplace_back();
    device.ordinal = card;
    device.name = "CUDA on the host";
    device.capability = 90;
    device.memory = card_memory();
    device.id = "card " + std::to_string(card);
    device.display = card == 0;
  }
  return result;
}

/// MANTISSA_CUDA_FAULT="<api> <call> <error>": the card is lost at that call of this process.
void fail_as_environment_wants() {
  static const bool once = [] {
    if (const char* text = std::getenv("MANTISSA_CUDA_FAULT")) {
      std::istringstream words(text);
      int api = 0;
      cuda_on_host::Fault fault;
      if (words >> api >> fault.call >> fault.error && api >= 0 && api < cuda_on_host::kApis) {
        fault.api = static_cast<cuda_on_host::Api>(api);
        fault.lost = true;
        cuda_on_host::set_fault(fault);
      }
    }
    return true;
  }();
  (void)once;
}

/// MANTISSA_CUDA_PINNED: MiB of host memory that this system page-locks.
std::size_t pinned_limit() {
  const char* text = std::getenv("MANTISSA_CUDA_PINNED");
  return text != nullptr ? std::strtoull(text, nullptr, 10) << 20
                         : std::numeric_limits<std::size_t>::max();
}

std::unique_ptr<Kernels> make(int ordinal, const CudaPluginOptions& options) {
  if (ordinal >= card_count()) {
    throw std::runtime_error("there is no card " + std::to_string(ordinal) + "; this machine has " +
                             std::to_string(card_count()) + ", counted from 0");
  }
  fail_as_environment_wants();
  // Protection costs more than the kernels; it is enabled in the run that checks host access.
  cuda_on_host::set_memory_protected(std::getenv("MANTISSA_CUDA_PROTECTED") != nullptr);
  cuda_on_host::set_cards(card_count());
  cuda_on_host::set_memory_limit(card_memory());
  cuda_on_host::set_pinned_limit(pinned_limit());
  cuda_on_host::set_wrong_products(std::getenv("MANTISSA_CUDA_WRONG_PRODUCTS") != nullptr);
  // MANTISSA_CUDA_UNITS: the compute capability whose units kernels find; the least without it.
  const char* units = std::getenv("MANTISSA_CUDA_UNITS");
  cuda_on_host::Settings settings;
  settings.capability = units != nullptr ? std::atoi(units) : settings.capability;
  // MANTISSA_CUDA_WATCHED: the system ends launches that take long.
  settings.watched = std::getenv("MANTISSA_CUDA_WATCHED") != nullptr;
  return make_cuda_on_host(settings, ordinal, options.pinned_limit);
}

PinnedMemory pinned(Kernels& kernels) {
  return static_cast<cuda::CudaKernels&>(kernels).context().pinned_memory();
}

std::unique_ptr<CardLink> join_link(const NcclLibrary& nccl, Kernels& kernels,
                                    const CardLinkPlace& place, WhileWaiting while_waiting) {
  return cuda::join_nccl_link(nccl, static_cast<cuda::CudaKernels&>(kernels).context(), place,
                              std::move(while_waiting));
}

}  // namespace
}  // namespace mantissa::testing

extern "C" __attribute__((visibility("default"))) const mantissa::CudaApi* mantissa_cuda_api() {
  using namespace mantissa;
  static constexpr CudaApi kApi{MANTISSA_BUILD,    testing::report,     testing::make,
                                testing::pinned,   cuda::describe_nccl, cuda::new_nccl_link,
                                testing::join_link};
  return &kApi;
}

/// Peak device memory since the last reset.
extern "C" __attribute__((visibility("default"))) std::size_t mantissa_on_host_peak() {
  return cuda_on_host::memory_peak();
}
/// Peak of one card.
extern "C" __attribute__((visibility("default"))) std::size_t mantissa_on_host_peak_of(int card) {
  return cuda_on_host::memory_peak_of(card);
}
/// Device memory allocated now.
extern "C" __attribute__((visibility("default"))) std::size_t mantissa_on_host_used() {
  return cuda_on_host::memory_used();
}
extern "C" __attribute__((visibility("default"))) std::int64_t mantissa_on_host_host_blocks() {
  return cuda_on_host::host_blocks();
}
/// A fault from now on, see cuda_on_host::Fault; of no call: the card is restored.
extern "C" __attribute__((visibility("default"))) void mantissa_on_host_fail(
    const cuda_on_host::Fault* fault) {
  cuda_on_host::set_fault(*fault);
}
/// Calls of a kind since.
extern "C" __attribute__((visibility("default"))) std::int64_t mantissa_on_host_calls(
    cuda_on_host::Api api) {
  return cuda_on_host::calls(api);
}
extern "C" __attribute__((visibility("default"))) void mantissa_on_host_reset_peak() {
  cuda_on_host::reset_memory_peak();
}
/// Recordings made since the library was loaded.
extern "C" __attribute__((visibility("default"))) std::int64_t mantissa_on_host_recordings() {
  return cuda_on_host::graphs_instantiated();
}
/// The card's total memory from now on.
extern "C" __attribute__((visibility("default"))) void mantissa_on_host_limit(std::size_t bytes) {
  cuda_on_host::set_memory_limit(bytes);
}
/// How the system pages the card's memory from now on.
extern "C" __attribute__((visibility("default"))) void mantissa_on_host_page(
    const cuda_on_host::Paging* paging) {
  cuda_on_host::set_paging(*paging);
}
