#pragma once
// A backend with memory of its own, called with views of host memory.

#include <memory>

#include "kernels/kernels.h"

namespace mantissa::testing {

/// Moves all bytes that the views of a call name to the device, calls, and moves them back. Views
/// that overlap stay so: slices and in-place calls mean the same. Addresses keep their distance to
/// 256-byte boundaries, gaps between rows move along.
std::unique_ptr<Kernels> make_staged_kernels(std::unique_ptr<Kernels> device);

}  // namespace mantissa::testing
