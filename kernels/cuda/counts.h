#pragma once

#include <atomic>
#include <cstdint>

namespace mantissa::cuda {

/// What this process had a card do. If MANTISSA_CUDA_COUNTS names a file, the process appends it
/// there as a line of JSON when it ends, so that tests can show that they used a card.
struct Counts {
  std::atomic<std::int64_t> launches{0};    ///< of our own kernels, also into recordings
  std::atomic<std::int64_t> recordings{0};  ///< CUDA graphs made of the work of a step
  std::atomic<std::int64_t> replays{0};

  Counts() = default;
  ~Counts();
  Counts(const Counts&) = delete;
  Counts& operator=(const Counts&) = delete;
};

Counts& counts();

}  // namespace mantissa::cuda
