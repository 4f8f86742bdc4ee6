#pragma once

#include <string>
#include <vector>

namespace mantissa {

/// Instruction sets of this processor that the engine's kernels can use: "avx2", "avx512f", …
std::vector<std::string> cpu_features();

}  // namespace mantissa
