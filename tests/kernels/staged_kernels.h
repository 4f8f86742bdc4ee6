#pragma once
// A backend with separate memory, called with views of host memory.

#include <memory>

#include "kernels/kernels.h"

namespace mantissa::testing {

/// Copies all bytes of a call's views to the device, calls, and copies them back. Overlapping views
/// still overlap, so slices and in-place calls work the same. Addresses keep their offset from
/// 256-byte boundaries; gaps between rows are copied too.
std::unique_ptr<Kernels> make_staged_kernels(std::unique_ptr<Kernels> device);

}  // namespace mantissa::testing
