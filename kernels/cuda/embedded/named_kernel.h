#pragma once
// Kernels launched by name. nvcc works with few host compilers, and not with MinGW's: device code
// is then compiled on its own, embedded (device_code.h) and loaded by the CUDA runtime, and this
// side knows of a kernel only what it is called and the sizes of its parameters.

#include <array>
#include <cstddef>
#include <cuda_runtime_api.h>
#include <typeinfo>
#include <vector>

namespace mantissa::cuda {

struct Grid;

/// A kernel that this program launches. All exist before the program's first statement.
class NamedKernel {
 public:
  /// `type`: of a KernelName. `sizes`: of the parameters, in bytes.
  NamedKernel(const std::type_info& type, std::vector<std::size_t> sizes);
  NamedKernel(const NamedKernel&) = delete;
  NamedKernel& operator=(const NamedKernel&) = delete;

  /// `arguments`: the address of each. prepare_kernels must have returned.
  void launch(cudaStream_t stream, const Grid& grid, void** arguments) const;

 private:
  friend class KernelTable;
  const std::type_info& type_;
  std::vector<std::size_t> sizes_;
  cudaKernel_t kernel_ = nullptr;
};

/// Loads the device code, once, and finds every NamedKernel in it. Throws std::runtime_error for
/// one that is missing or takes other parameters; then nothing can be launched.
void prepare_kernels();

/// A type whose mangled name contains the kernel's.
template <auto kKernel>
struct KernelName {};

template <typename... Parameters>
std::vector<std::size_t> sizes_of(void (*)(Parameters...)) {
  return {sizeof(Parameters)...};
}

template <auto kKernel>
inline NamedKernel kNamedKernel(typeid(KernelName<kKernel>),
                                sizes_of(static_cast<decltype(kKernel)>(nullptr)));

}  // namespace mantissa::cuda
