#pragma once

#include <cstdint>
#include <memory>

#include "kernels/kernels.h"

namespace mantissa {

/// Which copy of the backend to run: the widest the processor supports, or AVX2 in any case.
enum class CpuIsa : std::uint8_t { best, avx2 };

/// The CPU backend. `threads` 0 means one per core. Results depend on the instruction set in the
/// last digits, never on the threads. With native bf16 multiplication (AVX512-BF16), GEMMs flush
/// subnormal bf16 operands (below 1.2e-38) to zero. Throws std::runtime_error if the processor
/// lacks AVX2 or FMA.
std::unique_ptr<Kernels> make_cpu_kernels(int threads = 0, CpuIsa isa = CpuIsa::best);

}  // namespace mantissa
