// Takes the place of cudart64_13.dll on a machine without a card: host memory, no computation. It
// reads which kernels the device code has and with what parameters, checks every launch against
// that, and at the process's end appends to the file MANTISSA_STAND_IN_RECORD a line for each
// kernel:
//   kernel NAME LAUNCHES
// MANTISSA_STAND_IN_STATUS: the number of the error that cudaGetDeviceCount gives. The driver's
// version is then that in MANTISSA_STAND_IN_DRIVER, or 0: none.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime_api.h>
#include <deque>
#include <malloc.h>
#include <mutex>
#include <utility>
#include <vector>

#include "tests/kernels/cuda_embedded/stand_ins/cubin.h"

using mantissa::stand_in::DeviceKernel;
using mantissa::stand_in::kernels_of;

struct CUkern_st {
  DeviceKernel kernel;
  long long launches = 0;
};
struct CUlib_st {
  std::deque<CUkern_st> kernels;
};

namespace {

class State {
 public:
  std::mutex mutex;
  std::deque<CUlib_st> libraries;
  cudaError_t last = cudaSuccess;

  State() = default;
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State() {
    const char* path = std::getenv("MANTISSA_STAND_IN_RECORD");
    std::FILE* file = path != nullptr ? std::fopen(path, "a") : nullptr;
    if (file == nullptr) {
      return;
    }
    for (const CUlib_st& library : libraries) {
      for (const CUkern_st& k : library.kernels) {
        std::fprintf(file, "kernel %s %lld\n", k.kernel.name.c_str(), k.launches);
      }
    }
    std::fclose(file);
  }

  /// Null for a handle that was not given out.
  CUkern_st* find(const void* handle) {
    for (CUlib_st& library : libraries) {
      for (CUkern_st& kernel : library.kernels) {
        if (&kernel == handle) {
          return &kernel;
        }
      }
    }
    return nullptr;
  }
};

State& state() {
  static State all;
  return all;
}

cudaError_t failed(cudaError_t error) {
  state().last = error;
  return error;
}

constexpr std::size_t kMemory = 8ull << 30;

}  // namespace

#define API extern "C" __declspec(dllexport) cudaError_t

// -- the card ------------------------------------------------------------------------------------

API cudaGetDeviceCount(int* count) {
  const char* status = std::getenv("MANTISSA_STAND_IN_STATUS");
  *count = status == nullptr ? 1 : 0;
  return status == nullptr ? cudaSuccess : failed(static_cast<cudaError_t>(std::atoi(status)));
}
API cudaDriverGetVersion(int* version) {
  const char* driver = std::getenv("MANTISSA_STAND_IN_DRIVER");
  *version = driver != nullptr                                    ? std::atoi(driver)
             : std::getenv("MANTISSA_STAND_IN_STATUS") != nullptr ? 0
                                                                  : 13000;
  return cudaSuccess;
}
API cudaRuntimeGetVersion(int* version) {
  *version = 13000;
  return cudaSuccess;
}
API cudaGetDeviceProperties(cudaDeviceProp* properties, int) {
  *properties = {};
  std::strcpy(properties->name, "stand-in");
  properties->major = 8;
  properties->totalGlobalMem = kMemory;
  return cudaSuccess;
}
API cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int) {
  *value = attribute == cudaDevAttrComputeCapabilityMajor ? 8
           : attribute == cudaDevAttrMultiProcessorCount  ? 16
           : attribute == cudaDevAttrWarpSize             ? 32
                                                          : 0;
  return cudaSuccess;
}
API cudaSetDevice(int device) {
  return device == 0 ? cudaSuccess : failed(cudaErrorInvalidDevice);
}
API cudaGetDevice(int* device) {
  *device = 0;
  return cudaSuccess;
}
API cudaDeviceSynchronize() {
  return cudaSuccess;
}
API cudaGetLastError() {
  return std::exchange(state().last, cudaSuccess);
}
API cudaPeekAtLastError() {
  return state().last;
}
extern "C" __declspec(dllexport) const char* cudaGetErrorString(cudaError_t error) {
  return error == cudaErrorMemoryAllocation ? "out of memory" : nullptr;  // as without a driver
}

// -- memory --------------------------------------------------------------------------------------

API cudaMalloc(void** data, std::size_t bytes) {
  *data = _aligned_malloc(bytes, 256);
  return *data != nullptr ? cudaSuccess : failed(cudaErrorMemoryAllocation);
}
API cudaFree(void* data) {
  _aligned_free(data);
  return cudaSuccess;
}
API cudaMallocHost(void** data, std::size_t bytes) {
  return cudaMalloc(data, bytes);
}
API cudaFreeHost(void* data) {
  return cudaFree(data);
}
API cudaLaunchHostFunc(cudaStream_t, cudaHostFn_t function, void* data) {
  function(data);
  return cudaSuccess;
}
API cudaMemGetInfo(std::size_t* free, std::size_t* total) {
  *free = *total = kMemory;
  return cudaSuccess;
}
API cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind, cudaStream_t) {
  std::memmove(to, from, bytes);
  return cudaSuccess;
}
API cudaMemsetAsync(void* data, int value, std::size_t bytes, cudaStream_t) {
  std::memset(data, value, bytes);
  return cudaSuccess;
}

// -- streams, events, graphs: handles that only differ from null ---------------------------------

namespace {
template <typename Handle>
cudaError_t give(Handle* handle) {
  static char something;
  *handle = reinterpret_cast<Handle>(&something);
  return cudaSuccess;
}
}  // namespace

API cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned) {
  return give(stream);
}
API cudaStreamDestroy(cudaStream_t) {
  return cudaSuccess;
}
API cudaStreamSynchronize(cudaStream_t) {
  return cudaSuccess;
}
API cudaStreamWaitEvent(cudaStream_t, cudaEvent_t, unsigned) {
  return cudaSuccess;
}
API cudaEventCreate(cudaEvent_t* event) {
  return give(event);
}
API cudaEventCreateWithFlags(cudaEvent_t* event, unsigned) {
  return give(event);
}
API cudaEventDestroy(cudaEvent_t) {
  return cudaSuccess;
}
API cudaEventRecord(cudaEvent_t, cudaStream_t) {
  return cudaSuccess;
}
API cudaEventSynchronize(cudaEvent_t) {
  return cudaSuccess;
}
API cudaEventElapsedTime(float* ms, cudaEvent_t, cudaEvent_t) {
  *ms = 1;
  return cudaSuccess;
}
API cudaStreamBeginCapture(cudaStream_t, cudaStreamCaptureMode) {
  return cudaSuccess;
}
API cudaStreamEndCapture(cudaStream_t, cudaGraph_t* graph) {
  return give(graph);
}
API cudaGraphInstantiate(cudaGraphExec_t* exec, cudaGraph_t, unsigned long long) {
  return give(exec);
}
API cudaGraphLaunch(cudaGraphExec_t, cudaStream_t) {
  return cudaSuccess;
}
API cudaGraphDestroy(cudaGraph_t) {
  return cudaSuccess;
}
API cudaGraphExecDestroy(cudaGraphExec_t) {
  return cudaSuccess;
}

// -- kernels -------------------------------------------------------------------------------------

API cudaLibraryLoadData(cudaLibrary_t* library, const void* code, cudaJitOption*, void**, unsigned,
                        cudaLibraryOption*, void**, unsigned) {
  const std::scoped_lock lock(state().mutex);
  CUlib_st& made = state().libraries.emplace_back();
  for (DeviceKernel& kernel : kernels_of(code)) {
    made.kernels.push_back({std::move(kernel)});
  }
  *library = &made;
  return cudaSuccess;
}
API cudaLibraryGetKernelCount(unsigned* count, cudaLibrary_t library) {
  *count = static_cast<unsigned>(library->kernels.size());
  return cudaSuccess;
}
API cudaLibraryEnumerateKernels(cudaKernel_t* kernels, unsigned count, cudaLibrary_t library) {
  for (unsigned i = 0; i < count && i < library->kernels.size(); ++i) {
    kernels[i] = &library->kernels[i];
  }
  return cudaSuccess;
}
API cudaFuncGetName(const char** name, const void* handle) {
  const CUkern_st* kernel = state().find(handle);
  if (kernel == nullptr) {
    return failed(cudaErrorInvalidDeviceFunction);
  }
  *name = kernel->kernel.name.c_str();
  return cudaSuccess;
}
API cudaFuncGetParamInfo(const void* handle, std::size_t index, std::size_t*, std::size_t* bytes) {
  const CUkern_st* kernel = state().find(handle);
  if (kernel == nullptr || index >= kernel->kernel.parameters.size()) {
    return failed(cudaErrorInvalidValue);
  }
  *bytes = kernel->kernel.parameters[index];
  return cudaSuccess;
}
API cudaFuncSetAttribute(const void* handle, cudaFuncAttribute, int) {
  return state().find(handle) != nullptr ? cudaSuccess : failed(cudaErrorInvalidDeviceFunction);
}
API cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void* handle, void** arguments) {
  const std::scoped_lock lock(state().mutex);
  CUkern_st* kernel = state().find(handle);
  if (kernel == nullptr) {
    return failed(cudaErrorInvalidDeviceFunction);
  }
  const dim3 blocks = config->gridDim, threads = config->blockDim;
  if (blocks.x * blocks.y * blocks.z == 0 || threads.x * threads.y * threads.z == 0 ||
      threads.x * threads.y * threads.z > 1024) {
    return failed(cudaErrorInvalidConfiguration);
  }
  // As the runtime does, all of them are read.
  for (std::size_t i = 0; i < kernel->kernel.parameters.size(); ++i) {
    std::vector<char> copy(kernel->kernel.parameters[i]);
    std::memcpy(copy.data(), arguments[i], copy.size());
  }
  ++kernel->launches;
  return cudaSuccess;
}
