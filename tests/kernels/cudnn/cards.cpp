#include "cards.h"

#include <array>
#include <cuda_runtime_api.h>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace mantissa::testing {
namespace {

constexpr std::array kCards{
    Card{"RTX 2080 Ti", 75, 68, 1545000, 7000000, 5767168, 65536, 16, 1024},
    Card{"A100", 80, 108, 1410000, 1215000, 41943040, 166912, 32, 2048},
    Card{"RTX 3090", 86, 82, 1695000, 9751000, 6291456, 101376, 16, 1536},
    Card{"RTX 4090", 89, 128, 2520000, 10501000, 75497472, 101376, 24, 1536},
    Card{"H200", 90, 132, 1980000, 3201000, 62914560, 232448, 32, 2048},
    Card{"RTX 5090", 120, 170, 2407000, 14001000, 100663296, 101376, 24, 1536},
};

const Card* current = kCards.data();

}  // namespace

std::span<const Card> cards() {
  return kCards;
}

std::shared_ptr<cudnn_frontend::DeviceProperties> properties_of(const Card& card) {
  const std::string text =
      nlohmann::json{
          {"deviceName", card.name},
          {"deviceVer", card.capability * 10},
          {"driverVer", 13000},
          {"multiProcessorCount", card.multiprocessors},
          {"smClockRateKHz", card.clock_khz},
          {"memClockRateKHz", card.memory_clock_khz},
          {"l2CacheSize", card.l2_bytes},
          {"maxSharedMemoryPerBlockOptin", card.shared_bytes},
          {"maxCtasPerSM", card.blocks},
          {"maxThreadsPerSM", card.threads},
          // The same for all of them.
          {"maxGridSize", {2147483647, 65535, 65535}},
          {"maxBlockSize", {1024, 1024, 64}},
          {"maxThreadsPerBlock", 1024},
          {"maxSharedMemoryPerBlock", 49152},
          {"reservedSharedMemoryPerBlock", 1024},
          {"regsPerBlock", 65536},
          {"maxRegistersPerSM", 65536},
          {"warpSize", 32},
          {"totalGlobalMem", std::int64_t{8} << 30},
          {"cudaDeviceId", 0},
          {"pciDeviceId", 0},
          {"isTccDriver", 0},
          {"supportCoopLaunch", 1},
      }
          .dump();
  auto properties = std::make_shared<cudnn_frontend::DeviceProperties>();
  auto status = properties->deserialize({text.begin(), text.end()});
  if (!status.is_good()) {
    throw std::runtime_error(std::string(card.name) + ": " + status.get_message());
  }
  return properties;
}

void set_current_card(const Card& card) {
  current = &card;
}

}  // namespace mantissa::testing

// CUDA runtime functions called by the frontend, which is not linked with the runtime: it checks
// the card's generation before recording attention.
extern "C" {
cudaError_t cudaGetDevice(int* device) {
  *device = 0;
  return cudaSuccess;
}
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int) {
  *properties = {};
  properties->major = mantissa::testing::current->capability / 10;
  properties->minor = mantissa::testing::current->capability % 10;
  properties->multiProcessorCount = mantissa::testing::current->multiprocessors;
  return cudaSuccess;
}
const char* cudaGetErrorString(cudaError_t) {
  return "there is no card";
}
cudaError_t cudaDeviceSynchronize() {
  return cudaErrorNoDevice;
}
cudaError_t cudaEventCreate(cudaEvent_t*) {
  return cudaErrorNoDevice;
}
cudaError_t cudaEventDestroy(cudaEvent_t) {
  return cudaErrorNoDevice;
}
cudaError_t cudaEventElapsedTime(float*, cudaEvent_t, cudaEvent_t) {
  return cudaErrorNoDevice;
}
cudaError_t cudaEventRecord(cudaEvent_t, cudaStream_t) {
  return cudaErrorNoDevice;
}
cudaError_t cudaEventSynchronize(cudaEvent_t) {
  return cudaErrorNoDevice;
}
}
