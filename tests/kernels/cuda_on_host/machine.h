#pragma once
// How the fake card runs kernels.
//
// Errors, thrown by the launch as std::runtime_error: a barrier that some threads don't reach; a
// warp function that lanes of its mask don't reach or that reads from a lane outside of it; writes
// beyond dynamic shared memory or device memory (reads there end the process); a byte of shared
// memory that two warps touch between two barriers, one of them writing (shared_watch.h); a copy to
// shared memory that its thread doesn't wait for; invalid launches. Host calls forbidden during
// capture return CUDA's error codes. Shared memory starts as NaNs in each block.

#include <cstddef>
#include <functional>

#include "cuda_on_host.h"
#include "fault.h"

namespace cuda_on_host {

/// The order of blocks, and of threads between two barriers. Results must not depend on it.
enum class Order : unsigned char {
  in_turn,   ///< thread after thread, each as far as it gets, until all wait
  by_warp,   ///< a warp until it waits for the block before the next begins; the last comes first
  shuffled,  ///< a warp as by_warp, lanes and warps reshuffled after each barrier
};

/// Dynamic shared memory that every supported card has (compute capability 7.5).
inline constexpr std::size_t kSharedBytes = 64 * 1024;

struct Settings {
  Order order = Order::in_turn;
  /// 10·major + minor of the fake card; default: the minimum supported. Contexts read it when they
  /// are made.
  int capability = 75;
  bool watched = false;  ///< the cards made from now on draw the screen
};
/// Settings of this process's machine.
Settings& settings();

/// Makes device memory inaccessible to the host outside kernels and copies; off for speed.
void set_memory_protected(bool on);
/// Total memory for cudaMalloc; 4 GiB at the start.
void set_memory_limit(std::size_t bytes);
/// Cards of the machine: they have the memory in common, and a limit each. Launches on another's
/// stream than the current one's fail, as CUDA's do.
void set_cards(int count);
/// The peak of one of them since the last reset.
std::size_t memory_peak_of(int card);
/// Allocated now, and the peak since the last reset.
std::size_t memory_used();
std::size_t memory_peak();
void reset_memory_peak();
/// Graphs instantiated since program start.
std::int64_t graphs_instantiated();
/// Currently allocated page-locked host blocks.
std::int64_t host_blocks();
/// How much host memory can be page-locked, as systems limit it; without one at the start.
void set_pinned_limit(std::size_t bytes);
std::size_t pinned_bytes();
/// A default one: nothing is paged.
void set_paging(const Paging& paging);
/// From now on; a default one restores the card. Counts restart.
void set_fault(const Fault& fault);
/// Calls of a kind since set_fault.
std::int64_t calls(Api api);
/// Work of a stream that waits on another's event: done immediately, or as late as the events
/// allow. A missing wait then reads memory not filled yet, or overwrites memory still in use.
void set_copies_late(bool on);
/// Whether [data, data + bytes) is device memory.
bool is_device_memory(const void* data, std::size_t bytes);
/// Grids run so far.
long long launches();

/// One grid, with all checks except those of device memory.
void run_grid(dim3 blocks, int threads, std::size_t shared_bytes,
              const std::function<void()>& kernel);

}  // namespace cuda_on_host
