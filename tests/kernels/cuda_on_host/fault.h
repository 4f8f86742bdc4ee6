#pragma once

#include <cstdint>

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

}  // namespace cuda_on_host
