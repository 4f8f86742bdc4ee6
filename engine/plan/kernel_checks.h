#pragma once

#include <string>
#include <vector>

#include "kernels/kernels.h"

namespace mantissa {

/// A small calculation on a device, beside the CPU's.
struct KernelCheck {
  std::string name;     ///< "product bf16"
  double error = 0;     ///< the largest difference, as a share of the largest value
  double bound = 0;     ///< of the error: what rounding explains
  std::string failure;  ///< why there is no result; empty if there is one
  bool passed() const { return failure.empty() && error <= bound; }
};

/// A product, a convolution and attention in every type that a device trains in, and products of
/// codes: compared with the CPU's in the same type, those of the CPU itself with its own in FP64.
/// `capability` as CudaDevice::capability, 0 of the CPU. Throws DeviceLost.
std::vector<KernelCheck> check_kernels(Kernels& kernels, int capability);

}  // namespace mantissa
