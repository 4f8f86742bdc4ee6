#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <limits>
#include <map>
#include <mutex>
#include <set>
#include <thread>
#include <utility>
#include <vector>

#include "clock.h"
#include "device_memory.h"
#include "machine.h"
#include "runtime_on_host.h"

struct CUstream_st {
  int card = 0;  ///< current when it was made
  bool capturing = false, invalid = false;
  std::vector<std::function<void()>> captured;
  // A stream that waited for another's event follows that one.
  CUstream_st* follows = nullptr;
  CUstream_st* captured_by = nullptr;          ///< the stream whose capture it joined
  std::vector<std::function<void()>> pending;  ///< late work, until something waits for it
  bool joined = true;                          ///< no work since the last wait
};
struct CUevent_st {
  CUstream_st* stream = nullptr;
  bool timed = true;
  std::chrono::microseconds recorded{0};
};
struct CUgraph_st {
  std::vector<std::function<void()>> work;
};
struct CUgraphExec_st {
  std::vector<std::function<void()>> work;
};

namespace cuda_on_host {

namespace {

/// The card and its driver's state.
struct Device {
  DeviceMemory memory{std::size_t{4} << 30};
  CUstream_st default_stream;
  std::set<cudaStream_t> streams;
  bool copies_late = false;
  std::int64_t graphs = 0;
  // Each thread has a card and a last error of its own.
  static inline thread_local int current = 0;
  static inline thread_local cudaError_t last = cudaSuccess;
  Fault fault;
  std::array<std::int64_t, kApis> calls{};
  cudaError_t lost = cudaSuccess;  ///< the result of all calls
  int lost_card = 0;
  bool told = false;  ///< already returned by a call
  std::int64_t host_blocks = 0;
  std::map<const void*, std::size_t> pinned;  ///< page-locked blocks
  std::size_t pinned_bytes = 0, pinned_limit = std::numeric_limits<std::size_t>::max();
  Paging paging;
  std::chrono::microseconds clock{0};
  // Several cards have this memory in common, and a limit each.
  int cards = 1;
  std::map<const void*, std::pair<int, std::size_t>> owners;  ///< of blocks: card and bytes
  std::map<int, std::size_t> used, peak;                      ///< by card

  bool has_room(std::size_t bytes) { return used[current] + bytes <= memory.limit() / cards; }
  void own(const void* data, std::size_t bytes) {
    owners[data] = {current, bytes};
    used[current] += bytes;
    peak[current] = std::max(peak[current], used[current]);
  }
  void disown(const void* data) {
    if (const auto block = owners.find(data); block != owners.end()) {
      used[block->second.first] -= block->second.second;
      owners.erase(block);
    }
  }
  cudaError_t result(cudaError_t error) {
    last = error == cudaSuccess ? last : error;
    return error;
  }
  /// Of the current card.
  bool is_lost() const { return lost != cudaSuccess && current == lost_card; }
  /// Called first in each call: its failure, if any. `waits`: for earlier work.
  cudaError_t failure(Api api, bool waits = false) {
    const std::int64_t call = ++calls[static_cast<std::size_t>(api)];
    if (fault.api == api && fault.call == call) {
      const auto error = static_cast<cudaError_t>(fault.error);
      if (!fault.lost) {
        return result(error);
      }
      lost = error;
      lost_card = current;
    }
    return failure(waits);
  }
  /// Failure of a call not counted for faults.
  cudaError_t failure(bool waits = false) {
    if (!is_lost() || (fault.told_late && !waits && !told)) {
      return cudaSuccess;
    }
    told = true;
    return result(lost);
  }
  cudaStream_t of(cudaStream_t stream) { return stream != nullptr ? stream : &default_stream; }
  /// Whether a call forbidden in captures (except relaxed ones) occurs during one.
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

/// Held in each call: threads take turns.
class Turn {
 public:
  Turn() : lock_(mutex()) {}

 private:
  static std::recursive_mutex& mutex() {
    static std::recursive_mutex the_mutex;
    return the_mutex;
  }
  std::lock_guard<std::recursive_mutex> lock_;
};

}  // namespace

void enqueue(cudaStream_t stream, std::function<void()> work) {
  const Turn turn;
  if (device().is_lost()) {
    return;
  }
  CUstream_st& s = *device().of(stream);
  s.joined = s.follows == nullptr;
  if (s.follows != nullptr && device().copies_late) {
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

bool launch_fails() {
  const Turn turn;
  return device().failure(Api::launch) != cudaSuccess;
}

/// Runs the late work of a stream, in order.
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
  const Turn turn;
  if (device().failure(Api::launch) != cudaSuccess) {
    return;  // as on a card, the next check of the last error reports it
  }
  if (stream != nullptr && stream->card != device().current) {
    device().result(cudaErrorInvalidDevice);
    return;
  }
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
std::size_t memory_used() {
  return device().memory.used();
}
std::size_t memory_peak() {
  return device().memory.peak();
}
void reset_memory_peak() {
  device().peak = device().used;
  device().memory.reset_peak();
}
void set_memory_protected(bool on) {
  device().memory.set_protected(on);
}
void set_memory_limit(std::size_t bytes) {
  device().memory.set_limit(bytes * static_cast<std::size_t>(device().cards));
}
void set_cards(int count) {
  Device& d = device();
  d.memory.set_limit(d.memory.limit() / static_cast<std::size_t>(d.cards) *
                     static_cast<std::size_t>(count));
  d.cards = count;
}
std::size_t memory_peak_of(int card) {
  return device().peak[card];
}
std::int64_t host_blocks() {
  return device().host_blocks;
}
void set_pinned_limit(std::size_t bytes) {
  device().pinned_limit = bytes;
}
std::size_t pinned_bytes() {
  return device().pinned_bytes;
}
void pass_time(std::chrono::microseconds time) {
  device().clock += time;
}
void set_paging(const Paging& paging) {
  device().paging = paging;
}
void set_fault(const Fault& fault) {
  Device& d = device();
  d.fault = fault;
  d.calls = {};
  d.lost = d.last = cudaSuccess;
  d.told = false;
  d.default_stream = {};
}
std::int64_t calls(Api api) {
  return device().calls[static_cast<std::size_t>(api)];
}
bool is_device_memory(const void* data, std::size_t bytes) {
  return device().memory.contains(data, bytes);
}

}  // namespace cuda_on_host

using cuda_on_host::Api;
using cuda_on_host::device;
using cuda_on_host::Turn;

// First in each call: injects the fault.
#define FAIL_AS_TOLD(...)                                                              \
  if (const cudaError_t error = device().failure(__VA_ARGS__); error != cudaSuccess) { \
    return error;                                                                      \
  }

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
    case cudaErrorLaunchFailure:
      return "unspecified launch failure";
    case cudaErrorECCUncorrectable:
      return "uncorrectable ECC error encountered";
    case cudaErrorDevicesUnavailable:
      return "CUDA-capable device(s) is/are busy or unavailable";
    case cudaErrorUnknown:
      return "unknown error";
    default:
      break;
  }
  return "unrecognized error code";
}

cudaError_t cudaPeekAtLastError() {
  return device().last;
}
cudaError_t cudaGetLastError() {
  // A fatal error stays.
  return std::exchange(device().last,
                       device().told && device().is_lost() ? device().lost : cudaSuccess);
}
cudaError_t cudaGetDeviceCount(int* count) {
  const Turn turn;
  *count = device().cards;
  return cudaSuccess;
}
cudaError_t cudaSetDevice(int ordinal) {
  const Turn turn;
  FAIL_AS_TOLD()
  const bool known = ordinal >= 0 && ordinal < device().cards;
  device().current = known ? ordinal : device().current;
  return device().result(known ? cudaSuccess : cudaErrorInvalidDevice);
}
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int ordinal) {
  const Turn turn;
  FAIL_AS_TOLD()
  // Few enough processors that grids differ from sizes.
  const auto& settings = cuda_on_host::settings();
  *value = attribute == cudaDevAttrComputeCapabilityMajor   ? settings.capability / 10
           : attribute == cudaDevAttrComputeCapabilityMinor ? settings.capability % 10
           : attribute == cudaDevAttrKernelExecTimeout      ? int{settings.watched}
                                                            : 3;
  return device().result(ordinal < device().cards ? cudaSuccess : cudaErrorInvalidDevice);
}
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int ordinal) {
  const Turn turn;
  FAIL_AS_TOLD()
  *properties = {};
  std::strcpy(properties->name, "CUDA on the host");
  return device().result(ordinal < device().cards ? cudaSuccess : cudaErrorInvalidDevice);
}
cudaError_t cudaMemGetInfo(std::size_t* free, std::size_t* total) {
  const Turn turn;
  FAIL_AS_TOLD()
  *total = device().memory.limit() / static_cast<std::size_t>(device().cards);
  *free = *total - std::min(*total, device().used[device().current]);
  *free = std::min(*free, device().paging.free_bytes);
  return cudaSuccess;
}

cudaError_t cudaMalloc(void** data, std::size_t bytes) {
  const Turn turn;
  *data = nullptr;
  FAIL_AS_TOLD(Api::allocation)
  if (bytes > 0 && device().has_room(bytes)) {
    *data = device().memory.allocate(bytes);
  }
  if (*data != nullptr) {
    device().own(*data, bytes);
  }
  return device().result(bytes > 0 && *data == nullptr ? cudaErrorMemoryAllocation : cudaSuccess);
}
cudaError_t cudaFree(void* data) {
  const Turn turn;
  // A lost card's memory is freed too, whatever the call returns.
  const bool known = data == nullptr || device().memory.release(data);
  device().disown(data);
  FAIL_AS_TOLD(true)
  return device().result(known ? cudaSuccess : cudaErrorInvalidValue);
}
cudaError_t cudaMallocHost(void** data, std::size_t bytes) {
  const Turn turn;
  *data = nullptr;
  FAIL_AS_TOLD(Api::host_allocation)
  if (bytes > device().pinned_limit - std::min(device().pinned_limit, device().pinned_bytes)) {
    return device().result(cudaErrorMemoryAllocation);
  }
  *data = std::aligned_alloc(64, (bytes + 63) / 64 * 64);
  if (*data != nullptr) {
    ++device().host_blocks;
    device().pinned[*data] = bytes;
    device().pinned_bytes += bytes;
  }
  return device().result(*data == nullptr ? cudaErrorMemoryAllocation : cudaSuccess);
}
cudaError_t cudaFreeHost(void* data) {
  const Turn turn;
  if (const auto block = device().pinned.find(data); block != device().pinned.end()) {
    --device().host_blocks;
    device().pinned_bytes -= block->second;
    device().pinned.erase(block);
    std::free(data);
  } else if (data != nullptr) {
    return device().result(cudaErrorInvalidValue);
  }
  FAIL_AS_TOLD(true)
  return cudaSuccess;
}
cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* data) {
  const Turn turn;
  FAIL_AS_TOLD(Api::launch)
  cuda_on_host::enqueue(stream, [=] { function(data); });
  return cudaSuccess;
}
cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream) {
  const Turn turn;
  FAIL_AS_TOLD(Api::copy)
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
  const Turn turn;
  FAIL_AS_TOLD(Api::copy)
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
  const Turn turn;
  FAIL_AS_TOLD()
  *stream = *device().streams.insert(new CUstream_st).first;
  (*stream)->card = device().current;
  return cudaSuccess;
}
cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  const Turn turn;
  if (device().streams.erase(stream) == 0) {
    return device().result(cudaErrorInvalidValue);
  }
  delete stream;
  FAIL_AS_TOLD()
  return cudaSuccess;
}
cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  const Turn turn;
  FAIL_AS_TOLD(Api::sync, true)
  cuda_on_host::flush(*device().of(stream));
  return device().result(device().refuse_capture(stream));
}
cudaError_t cudaStreamQuery(cudaStream_t stream) {
  const Turn turn;
  return cudaStreamSynchronize(stream);  // work is over once it is launched, or now
}
cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned flags) {
  const Turn turn;
  FAIL_AS_TOLD(Api::event)
  *event = new CUevent_st{.timed = (flags & cudaEventDisableTiming) == 0};
  return cudaSuccess;
}
cudaError_t cudaEventCreate(cudaEvent_t* event) {
  const Turn turn;
  return cudaEventCreateWithFlags(event, 0);
}
cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  const Turn turn;
  FAIL_AS_TOLD(Api::event, true)
  return event->stream == nullptr ? cudaSuccess : cudaStreamSynchronize(event->stream);
}
cudaError_t cudaEventElapsedTime(float* ms, cudaEvent_t begin, cudaEvent_t end) {
  const Turn turn;
  FAIL_AS_TOLD(Api::event, true)
  if (!begin->timed || !end->timed || begin->stream == nullptr || end->stream == nullptr) {
    return device().result(cudaErrorInvalidValue);
  }
  *ms = std::chrono::duration<float, std::milli>(end->recorded - begin->recorded).count();
  return cudaSuccess;
}
cudaError_t cudaEventDestroy(cudaEvent_t event) {
  const Turn turn;
  delete event;
  FAIL_AS_TOLD()
  return cudaSuccess;
}
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  const Turn turn;
  FAIL_AS_TOLD(Api::event)
  event->stream = device().of(stream);
  event->recorded = device().clock;
  return cudaSuccess;
}
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned) {
  const Turn turn;
  FAIL_AS_TOLD(Api::event)
  CUstream_st* const waiting = device().of(stream);
  CUstream_st* const other = event->stream;
  if (other == nullptr || other == waiting) {
    return cudaSuccess;  // an event never recorded blocks nothing
  }
  if (other->follows == nullptr) {
    waiting->follows = other;
    waiting->captured_by = other->capturing ? other : nullptr;
    return cudaSuccess;
  }
  cuda_on_host::flush(*other);
  if (other->follows == waiting) {
    other->joined = true;
  } else {  // a third stream, behind one that follows
    waiting->follows = other;
    waiting->captured_by = other->captured_by;
  }
  return cudaSuccess;
}
cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode) {
  const Turn turn;
  FAIL_AS_TOLD(Api::graph)
  if (stream == nullptr || stream->capturing) {
    return device().result(cudaErrorStreamCaptureUnsupported);
  }
  stream->capturing = true;
  stream->invalid = false;
  stream->captured.clear();
  return cudaSuccess;
}
cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph) {
  const Turn turn;
  *graph = nullptr;
  if (stream == nullptr || !stream->capturing) {
    return device().result(cudaErrorInvalidValue);
  }
  stream->capturing = false;
  auto work = std::move(stream->captured);
  stream->captured.clear();
  FAIL_AS_TOLD(Api::graph)
  bool unjoined = false;
  for (cudaStream_t other : device().streams) {
    if (other->captured_by == stream) {
      other->captured_by = nullptr;
      unjoined = unjoined || !other->joined;
      if (!std::exchange(other->joined, true)) {
        other->pending.clear();
      }
    }
  }
  if (unjoined) {
    return device().result(cudaErrorStreamCaptureUnjoined);
  }
  if (stream->invalid) {
    return device().result(cudaErrorStreamCaptureInvalidated);
  }
  *graph = new CUgraph_st{std::move(work)};
  return cudaSuccess;
}
cudaError_t cudaGraphInstantiate(cudaGraphExec_t* exec, cudaGraph_t graph, unsigned long long) {
  const Turn turn;
  FAIL_AS_TOLD(Api::graph)
  *exec = new CUgraphExec_st{graph->work};
  ++device().graphs;
  return cudaSuccess;
}
cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream) {
  const Turn turn;
  FAIL_AS_TOLD(Api::graph)
  std::this_thread::sleep_for(device().paging.delay);
  for (const auto& work : exec->work) {
    cuda_on_host::enqueue(stream, work);
  }
  return cudaSuccess;
}
cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  const Turn turn;
  delete graph;
  FAIL_AS_TOLD()
  return cudaSuccess;
}
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec) {
  const Turn turn;
  delete exec;
  FAIL_AS_TOLD()
  return cudaSuccess;
}
