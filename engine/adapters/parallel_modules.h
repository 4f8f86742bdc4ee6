#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <thread>
#include <vector>

#include "engine/core/helper_threads.h"

namespace mantissa {

/// Calls f(i) for every i below `count` on all cores: for independent work per module, such as
/// singular values. Rethrows the exception of the smallest i, so that errors don't depend on the
/// number of threads.
template <typename F>
void for_each_module(std::size_t count, const F& f) {
  std::vector<std::exception_ptr> failures(count);
  std::atomic<std::size_t> next{0};
  const auto work = [&] {
    for (std::size_t i = next.fetch_add(1); i < count; i = next.fetch_add(1)) {
      try {
        f(i);
      } catch (...) {
        failures[i] = std::current_exception();
      }
    }
  };
  {
    const std::size_t cores = std::max(1U, std::thread::hardware_concurrency());
    const auto help = [&work](std::size_t) { work(); };
    const auto helpers = helper_threads(std::min(cores, std::max<std::size_t>(count, 1)) - 1, help);
    work();
  }
  for (const std::exception_ptr& failure : failures) {
    if (failure) {
      std::rethrow_exception(failure);
    }
  }
}

}  // namespace mantissa
