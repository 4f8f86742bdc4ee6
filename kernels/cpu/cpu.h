#pragma once

#include <cstdint>
#include <memory>

#include "kernels/kernels.h"

namespace mantissa {

/// Which copy of the backend to run: the widest the processor has, or AVX2 even where there is
/// more.
enum class CpuIsa : std::uint8_t { best, avx2 };

/// The CPU backend. `threads` 0 means one a core. Results depend on the instruction set in the last
/// digits, never on the threads. Where the processor multiplies bf16 itself (AVX512-BF16), products
/// take subnormal bf16 operands (below 1.2e-38) for zero. Throws std::runtime_error where the
/// processor lacks AVX2 and FMA.
std::unique_ptr<Kernels> make_cpu_kernels(int threads = 0, CpuIsa isa = CpuIsa::best);

}  // namespace mantissa
