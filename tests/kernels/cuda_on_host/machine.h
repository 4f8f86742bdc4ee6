#pragma once
// How the stand-in for a card runs kernels.
//
// Errors, thrown by the launch as std::runtime_error: a barrier that some threads don't reach; a
// warp function that lanes of its mask don't reach or that reads from a lane outside of it; writes
// beyond dynamic shared memory or device memory (reads there end the process); a byte of shared
// memory that two warps touch between two barriers, one of them writing (shared_watch.h); launches
// no card would take; host calls that a capture does not allow come back as CUDA's error codes.
// Shared memory starts as NaNs in each block.

#include <cstddef>
#include <functional>

#include "cuda_on_host.h"
#include "fault.h"

namespace cuda_on_host {

/// The order of blocks, and of threads between two barriers. Results must not depend on it.
enum class Order : unsigned char {
  in_turn,   ///< thread after thread, each as far as it comes, until all wait
  by_warp,   ///< a warp until it waits for the block before the next begins; the last comes first
  shuffled,  ///< a warp as by_warp, lanes and warps drawn anew after each barrier
};

/// Dynamic shared memory that every supported card has (compute capability 7.5).
inline constexpr std::size_t kSharedBytes = 64 * 1024;

struct Settings {
  Order order = Order::in_turn;
  /// 10·major + minor of the card that it plays; the least that is supported. Contexts read it when
  /// they are made.
  int capability = 75;
};
/// Of the one machine of this process.
Settings& settings();

/// Device memory is out of the host's reach outside of kernels and copies; off for speed.
void set_memory_protected(bool on);
/// What cudaMalloc can give in all; 4 GiB at the start.
void set_memory_limit(std::size_t bytes);
/// What of it is given now, and the most that was given at a time since the last reset.
std::size_t memory_used();
std::size_t memory_peak();
void reset_memory_peak();
/// Graphs made executable since the program began.
std::int64_t graphs_instantiated();
/// Page-locked blocks of the host that are given now.
std::int64_t host_blocks();
/// From now on; a default one brings the card back. Counts begin anew.
void set_fault(const Fault& fault);
/// Calls of a kind since set_fault.
std::int64_t calls(Api api);
/// Work of a stream that follows another by an event: at once, or as late as the events allow. What
/// lacks a wait then reads memory that was not filled yet; done at once, memory still in use.
void set_copies_late(bool on);
/// Whether [data, data + bytes) is device memory.
bool is_device_memory(const void* data, std::size_t bytes);
/// Grids run so far.
long long launches();

/// One grid, with all checks but those of device memory.
void run_grid(dim3 blocks, int threads, std::size_t shared_bytes,
              const std::function<void()>& kernel);

}  // namespace cuda_on_host
