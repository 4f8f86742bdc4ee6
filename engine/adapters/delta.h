#pragma once

#include <span>
#include <vector>

#include "engine/adapters/adapter_module.h"

namespace mantissa {

/// W' - W [out, in·kh·kw] of a LoRA or DoRA module on its weight, in fp32. Throws Error if the
/// weight's size differs from the module's.
std::vector<float> weight_delta(const AdapterModule& module, std::span<const float> weight);

/// Adds sign·up·down of `rank` to a low-rank module: rows to its down matrix, columns to its up
/// matrix. Its alpha stays.
void append_factors(AdapterModule& module, const std::vector<float>& down,
                    const std::vector<float>& up, int rank, float sign);

}  // namespace mantissa
