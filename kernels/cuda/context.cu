#include <cstring>
#include <utility>

#include "kernels/cuda/context.h"
#include "kernels/cuda/device.cuh"

namespace mantissa::cuda {

namespace {

/// The value travels as an argument: no wait for a copy.
__global__ void set_run_kernel(RunCell* cell, RunCell run) {
  *cell = run;
}

std::string text_of_bytes(std::size_t bytes) {
  return std::to_string(bytes) + " bytes";
}

/// cudaMalloc that says what was there to be had.
void* device_malloc(std::size_t bytes) {
  void* data = nullptr;
  const cudaError_t status = cudaMalloc(&data, std::max<std::size_t>(bytes, 1));
  if (status == cudaErrorMemoryAllocation) {
    cudaGetLastError();  // it is told here; later launches must not find it
    std::size_t free = 0, total = 0;
    check_cuda(cudaMemGetInfo(&free, &total), "memory");
    throw OutOfDeviceMemory("[memory] the card has no room for " + text_of_bytes(bytes) + ": " +
                            text_of_bytes(free) + " of " + text_of_bytes(total) + " are free");
  }
  check_cuda(status, "memory");
  return data;
}

}  // namespace

Context::Context(int ordinal) : ordinal_(ordinal) {
  check_cuda(cudaSetDevice(ordinal), "device");
  int major = 0, minor = 0;
  check_cuda(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, ordinal), "device");
  check_cuda(cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, ordinal), "device");
  check_cuda(cudaDeviceGetAttribute(&multiprocessors_, cudaDevAttrMultiProcessorCount, ordinal),
             "device");
  capability_ = 10 * major + minor;
  cudaDeviceProp properties{};
  check_cuda(cudaGetDeviceProperties(&properties, ordinal), "device");
  card_ = properties.name;
  check_cuda(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "device");
  try {
    check_cuda(cudaStreamCreateWithFlags(&side_stream_, cudaStreamNonBlocking), "device");
    check_cuda(cudaStreamCreateWithFlags(&copy_stream_, cudaStreamNonBlocking), "device");
    for (cudaEvent_t* event : {&launched_, &filled_[0], &filled_[1]}) {
      check_cuda(cudaEventCreateWithFlags(event, cudaEventDisableTiming), "device");
    }
    run_cell_ = static_cast<RunCell*>(allocate(sizeof(RunCell)));
    one_ = static_cast<float*>(allocate(sizeof(float)));
    const float one = 1;
    upload(&one, one_, sizeof(one));
  } catch (...) {
    free_all();
    throw;
  }
}

Context::~Context() {
  free_all();
}

void Context::free_all() noexcept {
  cudaStreamSynchronize(stream_);
  if (copy_stream_ != nullptr) {
    cudaStreamSynchronize(copy_stream_);
    cudaStreamDestroy(copy_stream_);
  }
  for (cudaEvent_t event : {launched_, filled_[0], filled_[1]}) {
    if (event != nullptr) {
      cudaEventDestroy(event);
    }
  }
  for (auto& [name, block] : scratch_) {
    cudaFree(block.data);
  }
  for (void* table : recorded_tables_) {
    cudaFree(table);
  }
  cudaFree(one_);
  cudaFree(run_cell_);
  if (side_stream_ != nullptr) {
    cudaStreamDestroy(side_stream_);
  }
  cudaStreamDestroy(stream_);
}

void* Context::allocate(std::size_t bytes) {
  void* data = device_malloc(bytes);
  try {
    check_cuda(cudaMemsetAsync(data, 0, bytes, stream_), "memory");
  } catch (...) {
    cudaFree(data);
    throw;
  }
  return data;
}

void Context::release(void* data) {
  if (data != nullptr) {
    // Launched kernels may still use it, and recordings would again.
    check_cuda(cudaStreamSynchronize(stream_), "memory");
    check_cuda(cudaFree(data), "memory");
    invalidate_recordings();
  }
}

void* Context::scratch_bytes(Scratch name, std::size_t bytes) {
  Block& block = scratch_[name];
  if (block.bytes >= bytes && block.data != nullptr) {
    return block.data;
  }
  if (recording_) {
    throw std::runtime_error("[record] a call needs " + text_of_bytes(bytes) +
                             " of scratch and had " + text_of_bytes(block.bytes) +
                             " before; run the same work once before it is recorded");
  }
  if (block.data != nullptr) {
    release(block.data);
    scratch_total_ -= block.bytes;
  }
  block = {};
  block.data = device_malloc(bytes);
  block.bytes = bytes;
  scratch_total_ += bytes;
  return block.data;
}

void Context::finish_aside() const {
  if (recording_) {
    check_cuda(cudaStreamSynchronize(side_stream_), "record");
  }
}

void* Context::allocate_aside(std::size_t bytes) {
  return device_malloc(bytes);
}

const void* Context::table_bytes(const void* rows, std::size_t bytes) {
  if (!recording_) {
    void* device = scratch_bytes(Scratch::table, bytes);
    upload(rows, device, bytes);
    return device;
  }
  // Each table of a recording has its own memory, filled now and not by the replay.
  void* device = device_malloc(bytes);
  recorded_tables_.push_back(device);
  check_cuda(cudaMemcpyAsync(device, rows, bytes, cudaMemcpyHostToDevice, side_stream_), "table");
  check_cuda(cudaStreamSynchronize(side_stream_), "table");
  return device;
}

void Context::upload(const void* host, void* device, std::size_t bytes) {
  refuse_recording("upload");
  if (bytes == 0) {
    return;
  }
  // The stream must have taken the bytes before the caller may change them.
  check_cuda(cudaMemcpyAsync(device, host, bytes, cudaMemcpyHostToDevice, stream_), "upload");
  check_cuda(cudaStreamSynchronize(stream_), "upload");
}

void Context::download(const void* device, void* host, std::size_t bytes) {
  refuse_recording("download");
  if (bytes > 0) {
    check_cuda(cudaMemcpyAsync(host, device, bytes, cudaMemcpyDeviceToHost, stream_), "download");
  }
  check_cuda(cudaStreamSynchronize(stream_), "download");
}

void* Context::allocate_host(std::size_t bytes) {
  void* data = nullptr;
  check_cuda(cudaMallocHost(&data, std::max<std::size_t>(bytes, 1)), "host memory");
  std::memset(data, 0, bytes);
  return data;
}

void Context::release_host(void* data) {
  if (data != nullptr) {
    check_cuda(cudaStreamSynchronize(copy_stream_), "host memory");
    check_cuda(cudaStreamSynchronize(stream_), "host memory");
    check_cuda(cudaFreeHost(data), "host memory");
    invalidate_recordings();
  }
}

void Context::prefetch(int slot, std::span<const Transfer> transfers) {
  check_kernel(slot >= 0 && slot < kSlots, "prefetch", "there are only slots 0 and 1");
  check_cuda(cudaEventRecord(launched_, stream_), "prefetch");
  check_cuda(cudaStreamWaitEvent(copy_stream_, launched_, 0), "prefetch");
  for (const Transfer& t : transfers) {
    check_cuda(cudaMemcpyAsync(t.device, t.host, t.bytes, cudaMemcpyHostToDevice, copy_stream_),
               "prefetch");
  }
  check_cuda(cudaEventRecord(filled_[slot], copy_stream_), "prefetch");
}

void Context::await_prefetch(int slot) {
  check_kernel(slot >= 0 && slot < kSlots, "await_prefetch", "there are only slots 0 and 1");
  check_cuda(cudaStreamWaitEvent(stream_, filled_[slot], 0), "prefetch");
}

void Context::begin_run(std::uint64_t seed, std::uint32_t step) {
  refuse_recording("begin_run");
  run_ = RunCell{seed, step};
  launch(stream_, {dim3(1), 1}, set_run_kernel, run_cell_, run_);
}

void Context::refuse_recording(const char* kernel) const {
  if (recording_) {
    throw std::runtime_error(std::string("[") + kernel +
                             "] can't be recorded: it moves data between the card and the host");
  }
}

}  // namespace mantissa::cuda
