#pragma once

#include <cstddef>
#include <system_error>
#include <thread>
#include <vector>

namespace mantissa {

/// Threads that call work(1) … work(count), for a caller that does its share of the same work: if
/// the system can't start a thread, there are fewer and the work takes longer. Joined when
/// destroyed.
template <typename F>
std::vector<std::jthread> helper_threads(std::size_t count, const F& work) {
  std::vector<std::jthread> helpers;
  helpers.reserve(count);
  try {
    for (std::size_t i = 1; i <= count; ++i) {
      helpers.emplace_back([&work, i] { work(i); });
    }
  } catch (const std::system_error&) {
    // The running ones are enough.
  }
  return helpers;
}

}  // namespace mantissa
