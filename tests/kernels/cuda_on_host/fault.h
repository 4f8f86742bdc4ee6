#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace cuda_on_host {

/// Runtime calls by kind.
enum class Api : unsigned char { allocation, host_allocation, copy, launch, sync, event, graph };
inline constexpr int kApis = 7;

struct Fault {
  Api api = Api::allocation;
  std::int64_t call = 0;  ///< of this kind, counted from 1; 0: none
  int error = 0;          ///< CUDA's code
  /// Every later call returns the error, and kernels and copies do nothing.
  bool lost = false;
  /// A lost card's non-blocking calls succeed until a blocking one has reported the error.
  bool told_late = false;
};

/// A card whose memory the system moves to the host's, as Windows does instead of refusing it.
struct Paging {
  std::size_t free_bytes = std::numeric_limits<std::size_t>::max();  ///< no more is told to be free
  std::chrono::milliseconds delay{0};                                ///< of each launch of a graph
};

}  // namespace cuda_on_host
