#pragma once
// Host memory that the card reads, and how it gets there.

#include <atomic>
#include <cstddef>
#include <deque>
#include <map>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "kernels/cuda/check_cuda.h"
#include "kernels/kernels.h"
#include "kernels/load.h"

namespace mantissa::cuda {

/// A copy by the host, as part of a stream's work or of a recording.
struct HostCopy {
  void* to = nullptr;
  const void* from = nullptr;
  std::size_t bytes = 0;
  std::atomic<bool> done{false};
};

/// Blocks of host memory: page-locked up to a limit and as far as the system allows it, then
/// pageable ones, which the card reads through two page-locked buffers.
class HostMemory {
 public:
  explicit HostMemory(std::size_t limit) : limit_(limit) {}
  ~HostMemory();
  HostMemory(const HostMemory&) = delete;
  HostMemory& operator=(const HostMemory&) = delete;

  /// Zeroed; throws std::bad_alloc if the computer has no memory left.
  void* allocate(std::size_t bytes);
  /// No work may still use it. False if the card is lost.
  bool release(void* data) noexcept;
  PinnedMemory use() const { return use_; }

  /// Copies to the card in `stream`, and in a second one behind it where the host memory is
  /// pageable. May be captured: then `take_recorded` has what the recording needs.
  void copy(cudaStream_t stream, std::span<const Transfer> transfers, bool recording);
  std::vector<std::shared_ptr<HostCopy>> take_recorded() { return std::exchange(recorded_, {}); }

 private:
  struct Block {
    std::size_t bytes = 0;
    bool pinned = false;
  };
  static constexpr std::size_t kBuffers = 2;
  bool is_pinned(const void* data) const;
  void* pin(std::size_t bytes);
  void open_ring();
  void copy_through_ring(cudaStream_t stream, const Transfer& transfer, bool recording);
  void launch(std::shared_ptr<HostCopy> copy, bool recording);

  std::size_t limit_;
  PinnedMemory use_;
  std::map<const char*, Block> blocks_;
  std::size_t buffer_bytes_ = 0;  ///< 0: no ring
  std::byte* ring_ = nullptr;     ///< kBuffers of them
  cudaStream_t fill_stream_ = nullptr;
  cudaEvent_t begun_ = nullptr, full_[kBuffers] = {}, read_[kBuffers] = {};
  std::size_t next_ = 0;  ///< pieces of this call so far
  std::deque<std::shared_ptr<HostCopy>> running_;
  std::vector<std::shared_ptr<HostCopy>> recorded_;
};

}  // namespace mantissa::cuda
