#pragma once

#include "engine/plan/roofline.h"

namespace mantissa {

/// What this machine's processor reaches, measured once in a process (some hundredths of a second):
/// the FP32 GEMM of the CPU's kernels, and copying.
const CardSpec& host_rates();
/// Shares of those rates that whole steps are assumed to reach: they tell minutes from days, not
/// one setting from another.
Efficiency host_efficiency();

}  // namespace mantissa
