#pragma once
// The kernels of device code, read from the images for cards inside a fatbin.

#include <cstddef>
#include <string>
#include <vector>

namespace mantissa::stand_in {

struct DeviceKernel {
  std::string name;                     ///< mangled
  std::vector<std::size_t> parameters;  ///< their sizes in bytes
};

/// Kernels of the first image in `code`, a fatbin as nvcc writes it, without compression.
std::vector<DeviceKernel> kernels_of(const void* code);

}  // namespace mantissa::stand_in
