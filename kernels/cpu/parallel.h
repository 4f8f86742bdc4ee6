#pragma once

#include <array>
#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace mantissa {

/// Runs numbered chunks on its own threads and the caller's. Chunking must depend on shapes alone,
/// and chunks must not share writes, so that results don't depend on the number of threads.
class ThreadPool {
 public:
  explicit ThreadPool(int threads);
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  int threads() const { return static_cast<int>(workers_.size()) + 1; }

  /// Calls f(chunk, thread) for every chunk in [0, chunks), thread in [0, threads()); returns when
  /// all are done. Rethrows an exception of a chunk. One call at a time; not from inside a chunk.
  template <typename F>
  void run(std::int64_t chunks, F&& f) {
    if (chunks <= 1 || workers_.empty()) {
      for (std::int64_t c = 0; c < chunks; ++c) {
        f(c, 0);
      }
      return;
    }
    using Function = std::remove_reference_t<F>;
    run_erased(chunks, const_cast<void*>(static_cast<const void*>(&f)),
               [](void* context, std::int64_t chunk, int thread) {
                 (*static_cast<Function*>(context))(chunk, thread);
               });
  }

 private:
  using Call = void (*)(void*, std::int64_t, int);
  void run_erased(std::int64_t chunks, void* context, Call call);
  void work(int thread);
  void take_chunks(int thread);
  bool has_chunks() const;

  std::vector<std::thread> workers_;
  // Number of the run (upper half) and its next chunk (lower half), claimed together: a worker
  // that wakes up late can't touch a later run, and nothing waits for a worker without a chunk.
  std::atomic<std::uint64_t> ticket_{0};
  std::atomic<std::int64_t> chunks_{0};
  std::atomic<std::int64_t> done_{0};
  std::atomic<int> sleepers_{0};
  std::atomic<bool> stop_{false};
  std::atomic<bool> failed_{false};
  void* context_ = nullptr;
  Call call_ = nullptr;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::exception_ptr error_;
};

/// 64-byte aligned bytes, counted in `total`.
class Buffer {
 public:
  Buffer() = default;
  Buffer(std::size_t bytes, std::atomic<std::size_t>* total);
  Buffer(Buffer&& other) noexcept;
  Buffer& operator=(Buffer&& other) noexcept;
  ~Buffer();
  void* data() const { return data_; }
  std::size_t size() const { return size_; }

 private:
  void* data_ = nullptr;
  std::size_t size_ = 0;
  std::atomic<std::size_t>* total_ = nullptr;
};

/// Aligned allocation shared by Buffer and the public `allocate`. Throws std::bad_alloc.
void* aligned_bytes(std::size_t bytes);
void free_aligned_bytes(void* data);

/// Scratch memory that grows to the largest call's needs: one buffer per thread, four shared.
class Scratch {
 public:
  explicit Scratch(int threads) : per_thread_(static_cast<std::size_t>(threads)) {}
  /// At least `bytes` for `thread`; the next request of the same thread may return the same memory.
  void* of_thread(int thread, std::size_t bytes) {
    return grow(per_thread_[static_cast<std::size_t>(thread)], bytes);
  }
  /// At least `bytes`, for the calling op; call it outside of chunks. Slots 0 and 1 belong to the
  /// GEMMs themselves, 2 and 3 to operands made for them.
  void* shared(std::size_t bytes, int slot = 0) {
    return grow(shared_[static_cast<std::size_t>(slot)], bytes);
  }
  std::size_t bytes() const { return total_.load(); }
  std::uint64_t growths() const { return growths_.load(); }
  /// Grows every thread's buffer to the largest of them; call it outside of chunks.
  void settle();

 private:
  void* grow(Buffer& buffer, std::size_t bytes);
  std::atomic<std::size_t> total_{0};
  std::atomic<std::uint64_t> growths_{0};
  std::vector<Buffer> per_thread_;
  std::array<Buffer, 4> shared_;
};

}  // namespace mantissa
