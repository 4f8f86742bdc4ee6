#include "kernels/cpu/backend.h"

#include <cstring>

namespace mantissa::MANTISSA_ISA {

std::string CpuKernels::name() const {
  const int n = pool_.threads();
  return std::string("cpu (") + kIsaName + ", " + std::to_string(n) +
         (n == 1 ? " thread)" : " threads)");
}

void* CpuKernels::allocate(std::size_t bytes) {
  void* data = aligned_bytes(bytes);
  std::memset(data, 0, bytes);
  return data;
}

void CpuKernels::release(void* data) {
  if (data != nullptr) {
    free_aligned_bytes(data);
  }
}

std::unique_ptr<Kernels> make_backend(int threads) {
  return std::make_unique<CpuKernels>(threads);
}

}  // namespace mantissa::MANTISSA_ISA
