#pragma once
// The gate of everything that reads weights: values that are NaN or infinite end it.

#include <cstdint>
#include <string>

#include "engine/io/safetensors.h"
#include "engine/io/weight_view.h"

namespace mantissa {

/// How many of a tensor's values are NaN or infinite; of blocks (NF4, MXFP8, NVFP4, GGUF), those
/// whose scale or code is. The scales of FP8 and INT8 codes are checked where they are read.
std::int64_t non_finite_values(const WeightView& view);

/// Whether none of a tensor's values is NaN or infinite, of any type; whole numbers are finite.
bool is_finite(const TensorInfo& tensor);

/// Throws Error naming `file`, the tensor, how many of its values are NaN or infinite, and what to
/// do. `file` and `tensor` as they stand in messages.
void require_finite(const WeightView& view, const std::string& file, const std::string& tensor);
/// Throws as above for a tensor of a file, unless is_finite.
void require_finite(const TensorInfo& tensor, const std::string& file);

}  // namespace mantissa
