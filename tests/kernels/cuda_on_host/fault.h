#pragma once

#include <cstdint>

namespace cuda_on_host {

/// Calls of the runtime, by what they do.
enum class Api : unsigned char { allocation, host_allocation, copy, launch, sync, event, graph };
inline constexpr int kApis = 7;

struct Fault {
  Api api = Api::allocation;
  std::int64_t call = 0;  ///< of this kind, counted from 1; 0: none
  int error = 0;          ///< CUDA's code
  /// Every call from then on gives the error, and no kernel or copy does anything.
  bool lost = false;
  /// A lost card's calls that wait for nothing succeed until one that waits has told.
  bool told_late = false;
};

}  // namespace cuda_on_host
