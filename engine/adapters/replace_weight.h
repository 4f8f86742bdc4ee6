#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "engine/graph/tensor.h"

namespace mantissa {

/// Gives a frozen weight, found by its path, new fp32 values; they are rounded or quantised to its
/// storage dtype.
using ReplaceWeight = std::function<void(const Tensor& weight, std::span<const float> values)>;

/// The base model's fp32 values of the weight at a path.
using ReadWeight = std::function<std::vector<float>(const std::string& path)>;

}  // namespace mantissa
