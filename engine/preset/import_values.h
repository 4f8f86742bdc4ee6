#pragma once
// Values that several programs write alike.

#include <string_view>

#include "engine/preset/import_rules.h"

namespace mantissa {

/// An optimizer by the name of its class or of a library's option, in any case: "AdamW8bit".
void take_optimizer(ImportContext& context, ImportRow& row, std::string_view name);

/// A schedule by a name of transformers and diffusers, in any case: "cosine_with_restarts".
void take_schedule(ImportContext& context, ImportRow& row, std::string_view name);

/// training.loss by a name of sd-scripts and diffusers: "l2", "huber", "smooth_l1".
void take_loss(ImportContext& context, ImportRow& row, std::string_view name);

/// "no", "fp16", "bf16" or "fp8" of accelerate, as the type of computation and of all weights.
void take_mixed_precision(ImportContext& context, ImportRow& row, std::string_view name);

/// "float16", "torch.bfloat16", "fp32", …: our name of a dtype of torch; empty for another one.
std::string_view torch_dtype(std::string_view name);

/// data.resolution as the side of the square with the same area. The row says so.
void take_area(ImportContext& context, ImportRow& row, double width, double height);

}  // namespace mantissa
