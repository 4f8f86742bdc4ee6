#pragma once
// defines: make_cpu_kernels

#include <memory>

#include "kernels/kernels.h"

namespace mantissa {

/// The CPU backend. `threads` 0 means one a core. Throws std::runtime_error where the processor
/// lacks AVX2 and FMA.
std::unique_ptr<Kernels> make_cpu_kernels(int threads = 0);

}  // namespace mantissa
