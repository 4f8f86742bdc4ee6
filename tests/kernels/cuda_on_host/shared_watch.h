#pragma once
// Races in shared memory: two warps of a block that touch the same byte between two barriers, one
// of them writing.
//
// The compiler calls ThreadSanitizer's runtime functions (-fsanitize=thread when compiling, not
// linking) before each access of a kernel; shared_watch.cpp defines them. Every byte records its
// writers and readers since the last barrier, so that no order of threads can hide a missing one.

#include <cstddef>
#include <string>
#include <vector>

namespace cuda_on_host {

/// A __shared__ variable.
struct SharedRange {
  char* data = nullptr;
  std::size_t bytes = 0;
  std::string name;
};

/// All __shared__ variables of the program, once.
void watch_shared_variables(const std::vector<SharedRange>& variables);
/// A block begins, with `bytes` of dynamic shared memory.
void begin_shared_watch(void* dynamic, std::size_t bytes);
/// All threads of the block reached a barrier: earlier accesses no longer count.
void pass_shared_barrier();
/// Accesses of thread `thread` follow.
void enter_watched_thread(int thread);
/// The first race of the block as a message, or empty. No accesses are watched afterwards.
std::string end_shared_watch();

/// The function that holds the code at `address`, by its symbol; empty if there is none.
std::string function_at(const void* address);

}  // namespace cuda_on_host
