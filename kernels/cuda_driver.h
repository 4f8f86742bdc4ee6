#pragma once
// What the NVIDIA driver tells, without CUDA's own libraries: whether it is worth installing them.

#include <cstddef>

#include "kernels/cuda_report.h"

namespace mantissa {

/// The driver's functions that are called, by CUDA's driver interface; null where it lacks one.
struct DriverCalls {
  int (*init)(unsigned flags) = nullptr;
  int (*version)(int* version) = nullptr;
  int (*count)(int* count) = nullptr;
  int (*device)(int* device, int ordinal) = nullptr;
  int (*name)(char* name, int length, int device) = nullptr;
  int (*attribute)(int* value, int attribute, int device) = nullptr;
  int (*memory)(std::size_t* bytes, int device) = nullptr;
};

/// The driver's calls, from libcuda.so.1 or nvcuda.dll; `init` is null if there is no driver.
DriverCalls open_driver();

/// The driver's CUDA version, its cards, and why none could be used even with CUDA's libraries.
CudaReport driver_report(const DriverCalls& driver);

}  // namespace mantissa
