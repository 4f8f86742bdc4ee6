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
  ++allocations_;
  std::memset(data, 0, bytes);
  return data;
}

void CpuKernels::release(void* data) {
  if (data != nullptr) {
    free_aligned_bytes(data);
  }
}

void CpuKernels::upload(const void* host, const View& out) {
  check_packed(out, "upload", "out");
  std::memcpy(out.data, host, static_cast<std::size_t>(out.count()) * dtype_size(out.dtype));
}

void CpuKernels::download(const View& in, void* host) {
  check_packed(in, "download", "in");
  std::memcpy(host, in.data, static_cast<std::size_t>(in.count()) * dtype_size(in.dtype));
}

void CpuKernels::prefetch(int, std::span<const Transfer> transfers) {
  for (const Transfer& t : transfers) {
    std::memcpy(t.device, t.host, t.bytes);
  }
}

std::unique_ptr<Kernels> make_backend(int threads) {
  return std::make_unique<CpuKernels>(threads);
}

}  // namespace mantissa::MANTISSA_ISA
