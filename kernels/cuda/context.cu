#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

#include "kernels/cuda/context.h"
#include "kernels/cuda/device.cuh"

namespace mantissa::cuda {

namespace {

/// The value is passed as an argument: no wait for a copy.
__global__ void set_run_kernel(RunCell* cell, RunCell run) {
  *cell = run;
}

std::string text_of_bytes(std::size_t bytes) {
  return std::to_string(bytes) + " bytes";
}

constexpr std::int64_t kCounters = 4096;
/// More than any layer has inputs.
constexpr std::int64_t kOnes = std::int64_t{1} << 16;

/// The card that this thread's latest Context used: setting it again costs a call for nothing.
thread_local int current_card = -1;

/// cudaMalloc that reports the free memory on failure.
void* device_malloc(std::size_t bytes) {
  void* data = nullptr;
  const cudaError_t status = cudaMalloc(&data, std::max<std::size_t>(bytes, 1));
  if (status == cudaErrorMemoryAllocation) {
    cudaGetLastError();  // reported here; later launches must not see it
    std::size_t free = 0, total = 0;
    check_cuda(cudaMemGetInfo(&free, &total), "memory");
    throw OutOfDeviceMemory("[memory] the card has no room for " + text_of_bytes(bytes) + ": " +
                            text_of_bytes(free) + " of " + text_of_bytes(total) + " are free");
  }
  check_cuda(status, "memory");
  return data;
}

}  // namespace

Context::Context(int ordinal, std::size_t pinned_limit) : ordinal_(ordinal), host_(pinned_limit) {
  use();
  int major = 0, minor = 0;
  check_cuda(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, ordinal), "device");
  check_cuda(cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, ordinal), "device");
  check_cuda(cudaDeviceGetAttribute(&multiprocessors_, cudaDevAttrMultiProcessorCount, ordinal),
             "device");
  capability_ = code_capability_ = 10 * major + minor;
  int limited = 0;
  cudaDeviceGetAttribute(&limited, cudaDevAttrKernelExecTimeout, ordinal);
  watched_ = limited != 0;
  cudaDeviceProp properties{};
  check_cuda(cudaGetDeviceProperties(&properties, ordinal), "device");
  card_ = properties.name;
  prepare_kernels();
  check_cuda(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "device");
  try {
    check_cuda(cudaStreamCreateWithFlags(&side_stream_, cudaStreamNonBlocking), "device");
    check_cuda(cudaStreamCreateWithFlags(&copy_stream_, cudaStreamNonBlocking), "device");
    for (cudaEvent_t* event : {&launched_, &filled_[0], &filled_[1]}) {
      check_cuda(cudaEventCreateWithFlags(event, cudaEventDisableTiming), "device");
    }
    run_cell_ = static_cast<RunCell*>(allocate(sizeof(RunCell)));
    ones_ = static_cast<float*>(allocate(kOnes * sizeof(float)));
    const std::vector<float> ones(kOnes, 1.0F);
    upload(ones.data(), ones_, kOnes * sizeof(float));
    counters_ = static_cast<unsigned*>(allocate(kCounters * sizeof(unsigned)));
  } catch (...) {
    free_all();
    throw;
  }
}

Context::~Context() {
  free_all();
}

void Context::use() const {
  if (current_card != ordinal_) {
    check_cuda(cudaSetDevice(ordinal_), "device");
    current_card = ordinal_;
  }
}

/// For calls that report no errors.
bool Context::try_use() const noexcept {
  if (current_card != ordinal_ && cudaSetDevice(ordinal_) == cudaSuccess) {
    current_card = ordinal_;
  }
  return current_card == ordinal_;
}

void Context::free_all() noexcept {
  try_use();
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
  for (const Block& block : retired_) {
    cudaFree(block.data);
  }
  for (void* table : recorded_tables_) {
    cudaFree(table);
  }
  cudaFreeHost(stage_);
  cudaFree(ones_);
  cudaFree(counters_);
  cudaFree(run_cell_);
  if (side_stream_ != nullptr) {
    cudaStreamDestroy(side_stream_);
  }
  cudaStreamDestroy(stream_);
}

void* Context::take(std::size_t bytes) {
  void* data = device_malloc(bytes);
  ++allocations_;
  return data;
}

void* Context::allocate(std::size_t bytes) {
  use();
  void* data = take(bytes);
  try {
    check_cuda(cudaMemsetAsync(data, 0, bytes, stream_), "memory");
  } catch (...) {
    cudaFree(data);
    throw;
  }
  return born(data);
}

void* Context::born(void* data) {
  births_[data] = ++clock_;
  return data;
}

void Context::release(void* data) noexcept {
  if (data != nullptr) {
    try_use();
    cudaStreamSynchronize(stream_);  // launched kernels may still use it
    free_block(data);
  }
}

void Context::free_block(void* data) noexcept {
  forget(data);
  if (cudaFree(data) != cudaSuccess) {
    cudaGetLastError();  // from a lost card; every later call fails with the reason
  }
}

void Context::forget(const void* data) noexcept {
  const auto birth = births_.find(data);
  const std::uint64_t at = birth == births_.end() ? 0 : birth->second;
  std::erase_if(recordings_, [at](const std::weak_ptr<RecordedMemory>& watched) {
    const auto memory = watched.lock();
    if (memory && at < memory->made) {
      memory->intact = false;
    }
    return !memory || !memory->intact;
  });
  if (birth != births_.end()) {
    births_.erase(birth);
  }
}

std::shared_ptr<const RecordedMemory> Context::recorded_memory() {
  auto memory = std::make_shared<RecordedMemory>();
  memory->made = ++clock_;
  recordings_.push_back(memory);
  return memory;
}

bool Context::recorded_since(const void* data) const {
  const auto birth = births_.find(data);
  return std::ranges::any_of(recordings_, [&](const std::weak_ptr<RecordedMemory>& watched) {
    const auto memory = watched.lock();
    return memory && memory->intact && (birth == births_.end() || birth->second < memory->made);
  });
}

void Context::drop_retired_scratch() noexcept {
  std::erase_if(retired_, [this](const Block& block) {
    if (recorded_since(block.data)) {
      return false;
    }
    scratch_total_ -= block.bytes;
    release(block.data);
    return true;
  });
}

/// If memory is full, frees scratch kept by recordings; they are recorded again.
void* Context::scratch_malloc(std::size_t bytes) {
  use();
  try {
    return take(bytes);
  } catch (const OutOfDeviceMemory&) {
    if (retired_.empty()) {
      throw;
    }
  }
  for (const Block& block : std::exchange(retired_, {})) {
    scratch_total_ -= block.bytes;
    release(block.data);
  }
  return take(bytes);
}

const float* Context::ones(std::int64_t count) const {
  check_kernel(count <= kOnes, "ones", [&] {
    return "a product needs " + std::to_string(count) + ", there are " + std::to_string(kOnes);
  });
  return ones_;
}

unsigned* Context::counters(std::int64_t count) const {
  check_kernel(count <= kCounters, "counters", [&] {
    return "a kernel needs " + std::to_string(count) + ", there are " + std::to_string(kCounters);
  });
  return counters_;
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
  if (block.data != nullptr && recorded_since(block.data)) {
    retired_.push_back(block);
  } else if (block.data != nullptr) {
    release(block.data);
    scratch_total_ -= block.bytes;
  }
  block = {};
  block.data = born(scratch_malloc(bytes));
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
  use();
  return born(take(bytes));
}

const void* Context::table_bytes(const void* rows, std::size_t bytes) {
  if (!recording_) {
    void* device = scratch_bytes(Scratch::table, bytes);
    upload(rows, device, bytes);
    return device;
  }
  // Each table of a recording has its own memory, filled now, not by the replay.
  use();
  void* device = take(bytes);
  recorded_tables_.push_back(device);
  check_cuda(cudaMemcpyAsync(device, rows, bytes, cudaMemcpyHostToDevice, side_stream_), "table");
  check_cuda(cudaStreamSynchronize(side_stream_), "table");
  return device;
}

/// Waits for all launched work.
void Context::wait(const char* call) {
  check_cuda(cudaStreamSynchronize(stream_), call);
  staged_ = 0;
}

bool Context::stage(const void* host, void* device, std::size_t bytes) {
  if (bytes > kStageBytes || !may_stage_) {
    return false;
  }
  if (stage_ == nullptr) {
    void* memory = nullptr;
    may_stage_ = cudaMallocHost(&memory, kStageBytes) == cudaSuccess;
    if (!may_stage_) {
      cudaGetLastError();  // uploads then wait for the card
      return false;
    }
    stage_ = static_cast<std::byte*>(memory);
  }
  if (staged_ + bytes > kStageBytes) {
    wait("upload");
  }
  std::byte* staged = stage_ + staged_;
  std::memcpy(staged, host, bytes);
  check_cuda(cudaMemcpyAsync(device, staged, bytes, cudaMemcpyHostToDevice, stream_), "upload");
  constexpr std::size_t kAlignment = 64;
  staged_ = std::min(kStageBytes, (staged_ + bytes + kAlignment - 1) / kAlignment * kAlignment);
  return true;
}

void Context::upload(const void* host, void* device, std::size_t bytes) {
  refuse_recording("upload");
  use();
  if (bytes == 0 || stage(host, device, bytes)) {
    return;
  }
  // The stream must have read the bytes before the caller may change them.
  check_cuda(cudaMemcpyAsync(device, host, bytes, cudaMemcpyHostToDevice, stream_), "upload");
  wait("upload");
}

void Context::download(const void* device, void* host, std::size_t bytes) {
  refuse_recording("download");
  use();
  if (bytes > 0) {
    check_cuda(cudaMemcpyAsync(host, device, bytes, cudaMemcpyDeviceToHost, stream_), "download");
  }
  wait("download");
}

cudaStream_t Context::beside() const {
  refuse_recording("work beside the stream");
  use();
  return side_stream_;
}

void Context::download_beside(const void* device, void* host, std::size_t bytes) {
  check_cuda(cudaMemcpyAsync(host, device, bytes, cudaMemcpyDeviceToHost, beside()), "download");
  check_cuda(cudaStreamSynchronize(side_stream_), "download");
}

void* Context::allocate_host(std::size_t bytes) {
  use();
  void* data = host_.allocate(bytes);
  if (const PinnedMemory memory = host_.use(); memory.pageable > 0) {
    note("this computer page-locks no more than " + text_of_bytes(memory.pinned) +
         " of its own memory for the card: the other weights that stay in it are copied to the "
         "card more slowly. The card's memory has room");
  }
  return born(data);
}

void Context::release_host(void* data) noexcept {
  if (data != nullptr) {
    try_use();
    cudaStreamSynchronize(copy_stream_);
    cudaStreamSynchronize(stream_);
    forget(data);
    if (!host_.release(data)) {
      cudaGetLastError();  // as in free_block
    }
  }
}

void Context::prefetch(int slot, std::span<const Transfer> transfers) {
  check_kernel(slot >= 0 && slot < kSlots, "prefetch", "there are only slots 0 and 1");
  use();
  check_cuda(cudaEventRecord(launched_, stream_), "prefetch");
  check_cuda(cudaStreamWaitEvent(copy_stream_, launched_, 0), "prefetch");
  host_.copy(copy_stream_, transfers, recording_);
  check_cuda(cudaEventRecord(filled_[slot], copy_stream_), "prefetch");
  in_flight_[slot] = true;
}

void Context::await_prefetch(int slot) {
  check_kernel(slot >= 0 && slot < kSlots, "await_prefetch", "there are only slots 0 and 1");
  if (std::exchange(in_flight_[slot], false)) {
    use();
    check_cuda(cudaStreamWaitEvent(stream_, filled_[slot], 0), "prefetch");
  }
}

void Context::join_prefetches() {
  for (int slot = 0; slot < kSlots; ++slot) {
    await_prefetch(slot);
  }
}

void Context::begin_run(std::uint64_t seed, std::uint32_t step) {
  refuse_recording("begin_run");
  use();
  run_ = RunCell{seed, step};
  launch<set_run_kernel>(stream_, {dim3(1), 1}, run_cell_, run_);
}

void Context::set_recording(bool on) {
  if (on) {
    use();
    check_cuda(cudaEventRecord(launched_, stream_), "record");
    check_cuda(cudaStreamWaitEvent(side_stream_, launched_, 0), "record");
  }
  recording_ = on;
}

void Context::note(const std::string& sentence) {
  if (noted_.insert(sentence).second) {
    notices_.push_back(sentence);
  }
}

void Context::refuse_recording(const char* kernel) const {
  if (recording_) {
    throw std::runtime_error(std::string("[") + kernel +
                             "] can't be recorded: it moves data between the card and the host");
  }
}

}  // namespace mantissa::cuda
