#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <set>
#include <utility>
#include <vector>

#include "device_memory.h"
#include "machine.h"
#include "runtime_on_host.h"

struct CUstream_st {
  bool capturing = false, invalid = false;
  std::vector<std::function<void()>> captured;
  // A stream that waited for an event of another one follows that one.
  bool follows = false;
  CUstream_st* captured_by = nullptr;          ///< whose capture it was drawn into
  std::vector<std::function<void()>> pending;  ///< late work, until somebody waits for it
  bool joined = true;                          ///< nothing came since somebody waited
};
struct CUevent_st {
  CUstream_st* stream = nullptr;
  bool timed = true;
  std::chrono::steady_clock::time_point recorded;
};
struct CUgraph_st {
  std::vector<std::function<void()>> work;
};
struct CUgraphExec_st {
  std::vector<std::function<void()>> work;
};

namespace cuda_on_host {

namespace {

/// The card and what its driver remembers.
struct Device {
  DeviceMemory memory{std::size_t{4} << 30};
  CUstream_st default_stream;
  std::set<cudaStream_t> streams;
  bool copies_late = false;
  std::int64_t graphs = 0;
  cudaError_t last = cudaSuccess;

  cudaError_t result(cudaError_t error) {
    last = error == cudaSuccess ? last : error;
    return error;
  }
  cudaStream_t of(cudaStream_t stream) { return stream != nullptr ? stream : &default_stream; }
  /// Whether a call that no capture allows (but a relaxed one) comes during a capture.
  cudaError_t refuse_capture(cudaStream_t stream) {
    if (of(stream)->capturing) {
      of(stream)->invalid = true;
      return cudaErrorStreamCaptureUnsupported;
    }
    return cudaSuccess;
  }
};

Device& device() {
  static Device the_device;
  return the_device;
}

}  // namespace

void enqueue(cudaStream_t stream, std::function<void()> work) {
  CUstream_st& s = *device().of(stream);
  s.joined = !s.follows;
  if (s.follows && device().copies_late) {
    s.pending.push_back(std::move(work));
    return;
  }
  CUstream_st& capturing = s.captured_by != nullptr ? *s.captured_by : s;
  if (capturing.capturing) {
    capturing.captured.push_back(std::move(work));
    return;
  }
  const DeviceAccess access(device().memory);
  work();
  device().memory.check_guards();
}

/// Does the late work of a stream, in its order.
void flush(CUstream_st& s) {
  CUstream_st& capturing = s.captured_by != nullptr ? *s.captured_by : s;
  for (auto& work : std::exchange(s.pending, {})) {
    if (capturing.capturing) {
      capturing.captured.push_back(std::move(work));
    } else {
      const DeviceAccess access(device().memory);
      work();
    }
  }
}

void launch(cudaStream_t stream, dim3 blocks, int threads, std::size_t shared_bytes,
            std::function<void()> kernel) {
  enqueue(stream, [blocks, threads, shared_bytes, kernel = std::move(kernel)] {
    run_grid(blocks, threads, shared_bytes, kernel);
  });
}

void set_copies_late(bool on) {
  device().copies_late = on;
}
std::int64_t graphs_instantiated() {
  return device().graphs;
}
std::size_t memory_peak() {
  return device().memory.peak();
}
void reset_memory_peak() {
  device().memory.reset_peak();
}
void set_memory_protected(bool on) {
  device().memory.set_protected(on);
}
void set_memory_limit(std::size_t bytes) {
  device().memory.set_limit(bytes);
}
bool is_device_memory(const void* data, std::size_t bytes) {
  return device().memory.contains(data, bytes);
}

}  // namespace cuda_on_host

using cuda_on_host::device;

const char* cudaGetErrorString(cudaError_t error) {
  switch (error) {
    case cudaSuccess:
      return "no error";
    case cudaErrorInvalidValue:
      return "invalid argument";
    case cudaErrorMemoryAllocation:
      return "out of memory";
    case cudaErrorInvalidDevice:
      return "invalid device ordinal";
    case cudaErrorStreamCaptureUnsupported:
      return "operation not permitted when stream is capturing";
    case cudaErrorStreamCaptureUnjoined:
      return "capturing stream has unjoined work";
    case cudaErrorStreamCaptureInvalidated:
      return "operation failed due to a previous error during capture";
  }
  return "unrecognized error code";
}

cudaError_t cudaPeekAtLastError() {
  return device().last;
}
cudaError_t cudaGetLastError() {
  return std::exchange(device().last, cudaSuccess);
}
cudaError_t cudaGetDeviceCount(int* count) {
  *count = 1;
  return cudaSuccess;
}
cudaError_t cudaSetDevice(int ordinal) {
  return device().result(ordinal == 0 ? cudaSuccess : cudaErrorInvalidDevice);
}
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int ordinal) {
  // Few enough processors that grids differ from sizes.
  const int capability = cuda_on_host::settings().capability;
  *value = attribute == cudaDevAttrComputeCapabilityMajor   ? capability / 10
           : attribute == cudaDevAttrComputeCapabilityMinor ? capability % 10
                                                            : 3;
  return device().result(ordinal == 0 ? cudaSuccess : cudaErrorInvalidDevice);
}
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int ordinal) {
  *properties = {};
  std::strcpy(properties->name, "CUDA on the host");
  return device().result(ordinal == 0 ? cudaSuccess : cudaErrorInvalidDevice);
}
cudaError_t cudaMemGetInfo(std::size_t* free, std::size_t* total) {
  *total = device().memory.limit();
  *free = *total - std::min(*total, device().memory.used());
  return cudaSuccess;
}

cudaError_t cudaMalloc(void** data, std::size_t bytes) {
  *data = nullptr;
  if (bytes > 0) {
    *data = device().memory.allocate(bytes);
  }
  return device().result(bytes > 0 && *data == nullptr ? cudaErrorMemoryAllocation : cudaSuccess);
}
cudaError_t cudaFree(void* data) {
  return device().result(data == nullptr || device().memory.release(data) ? cudaSuccess
                                                                          : cudaErrorInvalidValue);
}
cudaError_t cudaMallocHost(void** data, std::size_t bytes) {
  *data = std::aligned_alloc(64, (bytes + 63) / 64 * 64);
  return device().result(*data == nullptr ? cudaErrorMemoryAllocation : cudaSuccess);
}
cudaError_t cudaFreeHost(void* data) {
  std::free(data);
  return cudaSuccess;
}
cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream) {
  const bool to_device = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
  const bool from_device = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
  if (bytes == 0) {
    return cudaSuccess;
  }
  if (kind != cudaMemcpyDefault && (device().memory.contains(to, bytes) != to_device ||
                                    device().memory.contains(from, bytes) != from_device)) {
    return device().result(cudaErrorInvalidValue);
  }
  cuda_on_host::enqueue(stream, [=] { std::memmove(to, from, bytes); });
  return cudaSuccess;
}
cudaError_t cudaMemsetAsync(void* data, int value, std::size_t bytes, cudaStream_t stream) {
  if (bytes == 0) {
    return cudaSuccess;
  }
  if (!device().memory.contains(data, bytes)) {
    return device().result(cudaErrorInvalidValue);
  }
  cuda_on_host::enqueue(stream, [=] { std::memset(data, value, bytes); });
  return cudaSuccess;
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned) {
  *stream = *device().streams.insert(new CUstream_st).first;
  return cudaSuccess;
}
cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  if (device().streams.erase(stream) == 0) {
    return device().result(cudaErrorInvalidValue);
  }
  delete stream;
  return cudaSuccess;
}
cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  cuda_on_host::flush(*device().of(stream));
  return device().result(device().refuse_capture(stream));
}
cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned flags) {
  *event = new CUevent_st{.timed = (flags & cudaEventDisableTiming) == 0};
  return cudaSuccess;
}
cudaError_t cudaEventCreate(cudaEvent_t* event) {
  return cudaEventCreateWithFlags(event, 0);
}
cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  return event->stream == nullptr ? cudaSuccess : cudaStreamSynchronize(event->stream);
}
cudaError_t cudaEventElapsedTime(float* ms, cudaEvent_t begin, cudaEvent_t end) {
  if (!begin->timed || !end->timed || begin->stream == nullptr || end->stream == nullptr) {
    return device().result(cudaErrorInvalidValue);
  }
  *ms = std::chrono::duration<float, std::milli>(end->recorded - begin->recorded).count();
  return cudaSuccess;
}
cudaError_t cudaEventDestroy(cudaEvent_t event) {
  delete event;
  return cudaSuccess;
}
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  event->stream = device().of(stream);
  event->recorded = std::chrono::steady_clock::now();
  return cudaSuccess;
}
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned) {
  CUstream_st* const waiting = device().of(stream);
  CUstream_st* const other = event->stream;
  if (other == nullptr || other == waiting) {
    return cudaSuccess;  // an event that was never recorded holds nobody
  }
  if (other->follows) {
    cuda_on_host::flush(*other);
    other->joined = true;
  } else {
    waiting->follows = true;
    waiting->captured_by = other->capturing ? other : nullptr;
  }
  return cudaSuccess;
}
cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode) {
  if (stream == nullptr || stream->capturing) {
    return device().result(cudaErrorStreamCaptureUnsupported);
  }
  stream->capturing = true;
  stream->invalid = false;
  stream->captured.clear();
  return cudaSuccess;
}
cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph) {
  *graph = nullptr;
  if (stream == nullptr || !stream->capturing) {
    return device().result(cudaErrorInvalidValue);
  }
  stream->capturing = false;
  auto work = std::move(stream->captured);
  stream->captured.clear();
  for (cudaStream_t other : device().streams) {
    if (other->captured_by == stream) {
      other->captured_by = nullptr;
      if (!other->joined) {
        other->pending.clear();
        other->joined = true;
        return device().result(cudaErrorStreamCaptureUnjoined);
      }
    }
  }
  if (stream->invalid) {
    return device().result(cudaErrorStreamCaptureInvalidated);
  }
  *graph = new CUgraph_st{std::move(work)};
  return cudaSuccess;
}
cudaError_t cudaGraphInstantiate(cudaGraphExec_t* exec, cudaGraph_t graph, unsigned long long) {
  *exec = new CUgraphExec_st{graph->work};
  ++device().graphs;
  return cudaSuccess;
}
cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream) {
  for (const auto& work : exec->work) {
    cuda_on_host::enqueue(stream, work);
  }
  return cudaSuccess;
}
cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  delete graph;
  return cudaSuccess;
}
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec) {
  delete exec;
  return cudaSuccess;
}
