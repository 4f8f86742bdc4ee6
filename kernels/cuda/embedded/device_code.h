#pragma once

#include <span>

namespace mantissa::cuda {

/// The fatbins that nvcc made, one of each .cu file. Defined in a file that the build writes.
std::span<const void* const> device_code();

}  // namespace mantissa::cuda
