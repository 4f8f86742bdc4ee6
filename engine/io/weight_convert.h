#pragma once

#include "engine/core/message.h"
#include "engine/io/weight_view.h"

namespace mantissa {

/// Copies a weight into `out` (count elements of `dtype`: fp64, fp32, fp16 or bf16), in the
/// order that the view says. Source bytes may be unaligned. Throws Error naming `label` for types
/// that can't be converted and for finite values that become infinite in fp16.
void convert_weight(const WeightView& view, DType dtype, void* out, const Message& label);

}  // namespace mantissa
