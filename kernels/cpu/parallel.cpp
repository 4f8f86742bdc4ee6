#include "kernels/cpu/parallel.h"

#include <cstdlib>
#include <new>
#include <utility>

#if defined(__x86_64__) || defined(_M_X64)
#include <immintrin.h>
#endif

namespace mantissa {

namespace {

constexpr std::size_t kAlignment = 64;
// About 20 µs: the gap between two ops of a step, so that workers keep spinning through it.
constexpr int kSpins = 1000;

void pause() {
#if defined(__x86_64__) || defined(_M_X64)
  _mm_pause();
#else
  std::this_thread::yield();
#endif
}

}  // namespace

ThreadPool::ThreadPool(int threads) {
  workers_.reserve(static_cast<std::size_t>(threads > 1 ? threads - 1 : 0));
  try {
    for (int i = 1; i < threads; ++i) {
      workers_.emplace_back([this, i] { work(i); });
    }
  } catch (...) {
    // Fewer threads than requested still give the same results.
  }
}

ThreadPool::~ThreadPool() {
  {
    const std::lock_guard lock(mutex_);
    stop_.store(true);
  }
  wake_.notify_all();
  for (std::thread& t : workers_) {
    t.join();
  }
}

void ThreadPool::take_chunks(int thread) {
  for (;;) {
    std::uint64_t ticket = ticket_.load();
    const auto chunk = static_cast<std::int64_t>(ticket & 0xffffffffu);
    if (chunk >= chunks_.load()) {
      return;
    }
    if (!ticket_.compare_exchange_weak(ticket, ticket + 1)) {
      continue;
    }
    if (!failed_.load(std::memory_order_relaxed)) {
      try {
        call_(context_, chunk, thread);
      } catch (...) {
        const std::lock_guard lock(mutex_);
        error_ = std::current_exception();
        failed_.store(true);
      }
    }
    done_.fetch_add(1, std::memory_order_release);
  }
}

void ThreadPool::run_erased(std::int64_t chunks, void* context, Call call) {
  context_ = context;
  call_ = call;
  failed_.store(false, std::memory_order_relaxed);
  done_.store(0, std::memory_order_relaxed);
  // The limit is zeroed before the ticket names the new run, and raised after: a worker that reads
  // an old limit fails its claim.
  const std::uint64_t run = (ticket_.load() >> 32) + 1;
  chunks_.store(0);
  ticket_.store(run << 32);
  chunks_.store(chunks);
  if (sleepers_.load() > 0) {
    const std::lock_guard lock(mutex_);
    wake_.notify_all();
  }
  take_chunks(0);
  for (int spin = 0; done_.load(std::memory_order_acquire) != chunks; ++spin) {
    if (spin < kSpins) {
      pause();
    } else {
      std::this_thread::yield();
    }
  }
  if (error_) {
    std::rethrow_exception(std::exchange(error_, nullptr));
  }
}

bool ThreadPool::has_chunks() const {
  return static_cast<std::int64_t>(ticket_.load() & 0xffffffffu) < chunks_.load();
}

void ThreadPool::work(int thread) {
  while (!stop_.load()) {
    for (int spin = 0; spin < kSpins && !has_chunks() && !stop_.load(); ++spin) {
      pause();
    }
    if (!has_chunks()) {
      std::unique_lock lock(mutex_);
      sleepers_.fetch_add(1);
      wake_.wait(lock, [&] { return has_chunks() || stop_.load(); });
      sleepers_.fetch_sub(1);
    }
    take_chunks(thread);
  }
}

void* aligned_bytes(std::size_t bytes) {
  return ::operator new(bytes > 0 ? bytes : 1, std::align_val_t(kAlignment));
}

void free_aligned_bytes(void* data) {
  ::operator delete(data, std::align_val_t(kAlignment));
}

Buffer::Buffer(std::size_t bytes, std::atomic<std::size_t>* total)
    : data_(aligned_bytes(bytes)), size_(bytes), total_(total) {
  total_->fetch_add(size_);
}

Buffer::Buffer(Buffer&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)),
      size_(std::exchange(other.size_, 0)),
      total_(std::exchange(other.total_, nullptr)) {}

Buffer& Buffer::operator=(Buffer&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  std::swap(total_, other.total_);
  return *this;
}

Buffer::~Buffer() {
  if (data_ != nullptr) {
    free_aligned_bytes(data_);
    total_->fetch_sub(size_);
  }
}

void* Scratch::grow(Buffer& buffer, std::size_t bytes) {
  if (buffer.size() < bytes) {
    buffer = Buffer();  // free before allocating the larger one
    buffer = Buffer((bytes + 4095) / 4096 * 4096, &total_);
    ++growths_;
  }
  return buffer.data();
}

void Scratch::settle() {
  std::size_t most = 0;
  for (const Buffer& buffer : per_thread_) {
    most = std::max(most, buffer.size());
  }
  for (Buffer& buffer : per_thread_) {
    grow(buffer, most);
  }
}

}  // namespace mantissa
