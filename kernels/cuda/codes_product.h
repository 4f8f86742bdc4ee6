#pragma once
// Our own product of codes: one kernel whose sums stay in registers, where cuBLASLt writes sums of
// 32 bits that another kernel reads, scales and rounds.

#include "kernels/cuda/context.h"
#include "kernels/cuda/libraries.h"

namespace mantissa::cuda {

/// Whether card and code have the units, rows are whole pieces of 16 codes, and all is read and
/// written in 16 bytes at a time.
bool has_codes_product(const Context& context, const CodesProduct& product);
void run_codes_product(Context& context, const CodesProduct& product);

}  // namespace mantissa::cuda
