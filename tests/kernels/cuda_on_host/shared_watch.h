#pragma once
// Races in shared memory: two warps of a block that touch the same byte between two barriers, one
// of them writing.
//
// The compiler calls what ThreadSanitizer's runtime would define (-fsanitize=thread, compiled and
// not linked) before each access of a kernel; shared_watch.cpp defines it. Every byte remembers who
// wrote and who read it since which barrier, so that no order of threads can hide a missing one.

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
/// All threads of the block have met: what happened before no longer counts.
void pass_shared_barrier();
/// Accesses of thread `thread` follow.
void enter_watched_thread(int thread);
/// The first race of the block in a sentence, or nothing. No accesses are watched afterwards.
std::string end_shared_watch();

/// The function that holds the code at `address`, as its symbol says; empty where there is none.
std::string function_at(const void* address);

}  // namespace cuda_on_host
