#include "kernels/cuda/host_memory.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <utility>

namespace mantissa::cuda {
namespace {

constexpr std::align_val_t kAlignment{64};
/// Large enough that a copy takes far longer than its launch.
constexpr std::size_t kMostBuffer = std::size_t{8} << 20, kLeastBuffer = std::size_t{1} << 20;

void run_copy(void* data) {
  auto* copy = static_cast<HostCopy*>(data);
  std::memcpy(copy->to, copy->from, copy->bytes);
  copy->done = true;
}

}  // namespace

HostMemory::~HostMemory() {
  cudaFreeHost(ring_);
  for (cudaEvent_t event : {begun_, full_[0], full_[1], read_[0], read_[1]}) {
    if (event != nullptr) {
      cudaEventDestroy(event);
    }
  }
  if (fill_stream_ != nullptr) {
    cudaStreamDestroy(fill_stream_);
  }
}

/// Null where the system refuses it or the limit is reached.
void* HostMemory::pin(std::size_t bytes) {
  if (bytes > limit_ - std::min(limit_, use_.pinned)) {
    return nullptr;
  }
  void* data = nullptr;
  const cudaError_t status = cudaMallocHost(&data, bytes);
  if (status == cudaErrorMemoryAllocation) {
    cudaGetLastError();  // pageable memory does; later launches must not see it
    return nullptr;
  }
  check_cuda(status, "host memory");
  use_.pinned += bytes;
  return data;
}

void* HostMemory::allocate(std::size_t bytes) {
  bytes = std::max<std::size_t>(bytes, 1);
  void* data = pin(bytes);
  const bool pinned = data != nullptr;
  if (!pinned) {
    open_ring();
    data = ::operator new(bytes, kAlignment);
    use_.pageable += bytes;
  }
  std::memset(data, 0, bytes);
  blocks_[static_cast<const char*>(data)] = {bytes, pinned};
  return data;
}

bool HostMemory::release(void* data) noexcept {
  const auto found = blocks_.find(static_cast<const char*>(data));
  if (found == blocks_.end()) {
    return true;
  }
  const Block block = found->second;
  blocks_.erase(found);
  if (block.pinned) {
    use_.pinned -= block.bytes;
    return cudaFreeHost(data) == cudaSuccess;
  }
  use_.pageable -= block.bytes;
  ::operator delete(data, kAlignment);
  return true;
}

bool HostMemory::is_pinned(const void* data) const {
  auto after = blocks_.upper_bound(static_cast<const char*>(data));
  if (after == blocks_.begin()) {
    return true;  // the caller's own, as it was before
  }
  const auto& [begin, block] = *--after;
  return block.pinned || static_cast<const char*>(data) >= begin + block.bytes;
}

/// The buffers may exceed the limit: without them, every copy would stop the host.
void HostMemory::open_ring() {
  if (buffer_bytes_ > 0) {
    return;
  }
  void* ring = nullptr;
  std::size_t bytes = kMostBuffer;
  for (; ring == nullptr && bytes >= kLeastBuffer; bytes /= 2) {
    const cudaError_t status = cudaMallocHost(&ring, bytes * kBuffers);
    if (status == cudaErrorMemoryAllocation) {
      cudaGetLastError();  // as in pin
      continue;
    }
    check_cuda(status, "host memory");
    break;
  }
  if (ring == nullptr) {
    return;
  }
  ring_ = static_cast<std::byte*>(ring);
  check_cuda(cudaStreamCreateWithFlags(&fill_stream_, cudaStreamNonBlocking), "host memory");
  for (cudaEvent_t* event : {&begun_, &full_[0], &full_[1], &read_[0], &read_[1]}) {
    check_cuda(cudaEventCreateWithFlags(event, cudaEventDisableTiming), "host memory");
  }
  buffer_bytes_ = bytes;
}

void HostMemory::launch(std::shared_ptr<HostCopy> copy, bool recording) {
  check_cuda(cudaLaunchHostFunc(fill_stream_, run_copy, copy.get()), "prefetch");
  if (recording) {
    recorded_.push_back(std::move(copy));
  } else {
    running_.push_back(std::move(copy));
  }
}

void HostMemory::copy_through_ring(cudaStream_t stream, const Transfer& t, bool recording) {
  for (std::size_t begin = 0; begin < t.bytes; begin += buffer_bytes_, ++next_) {
    const std::size_t i = next_ % kBuffers, bytes = std::min(buffer_bytes_, t.bytes - begin);
    void* const buffer = ring_ + i * buffer_bytes_;
    if (next_ == 0) {  // after all earlier copies of the stream
      check_cuda(cudaEventRecord(begun_, stream), "prefetch");
      check_cuda(cudaStreamWaitEvent(fill_stream_, begun_, 0), "prefetch");
    } else if (next_ >= kBuffers) {
      check_cuda(cudaStreamWaitEvent(fill_stream_, read_[i], 0), "prefetch");
    }
    auto copy = std::make_shared<HostCopy>();
    copy->to = buffer;
    copy->from = static_cast<const std::byte*>(t.host) + begin;
    copy->bytes = bytes;
    launch(std::move(copy), recording);
    check_cuda(cudaEventRecord(full_[i], fill_stream_), "prefetch");
    check_cuda(cudaStreamWaitEvent(stream, full_[i], 0), "prefetch");
    check_cuda(cudaMemcpyAsync(static_cast<std::byte*>(t.device) + begin, buffer, bytes,
                               cudaMemcpyHostToDevice, stream),
               "prefetch");
    check_cuda(cudaEventRecord(read_[i], stream), "prefetch");
  }
}

void HostMemory::copy(cudaStream_t stream, std::span<const Transfer> transfers, bool recording) {
  while (!running_.empty() && running_.front()->done) {
    running_.pop_front();
  }
  next_ = 0;
  for (const Transfer& t : transfers) {
    if (buffer_bytes_ > 0 && !is_pinned(t.host)) {
      copy_through_ring(stream, t, recording);
    } else {
      check_cuda(cudaMemcpyAsync(t.device, t.host, t.bytes, cudaMemcpyHostToDevice, stream),
                 "prefetch");
    }
  }
}

}  // namespace mantissa::cuda
