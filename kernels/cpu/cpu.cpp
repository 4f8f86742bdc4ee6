#include "kernels/cpu/cpu.h"

#include <algorithm>
#include <stdexcept>
#include <thread>

namespace mantissa {

#if defined(MANTISSA_ISA_VARIANTS)
namespace isa_v3 {
std::unique_ptr<Kernels> make_backend(int threads);
}
namespace isa_v4 {
std::unique_ptr<Kernels> make_backend(int threads);
}
namespace isa_v4_bf16 {
std::unique_ptr<Kernels> make_backend(int threads);
}
#else
namespace isa_base {
std::unique_ptr<Kernels> make_backend(int threads);
}
#endif

std::unique_ptr<Kernels> make_cpu_kernels(int threads, CpuIsa isa) {
  if (threads <= 0) {
    threads = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  }
#if defined(MANTISSA_ISA_VARIANTS)
  if (isa == CpuIsa::best && __builtin_cpu_supports("avx512f") &&
      __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512cd")) {
    // Every processor with bf16 has VNNI.
    return __builtin_cpu_supports("avx512bf16") && __builtin_cpu_supports("avx512vnni")
               ? isa_v4_bf16::make_backend(threads)
               : isa_v4::make_backend(threads);
  }
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma") ||
      !__builtin_cpu_supports("bmi2")) {
    throw std::runtime_error(
        "This processor has no AVX2 and FMA, which the CPU backend needs; use a processor made "
        "after 2013.");
  }
  return isa_v3::make_backend(threads);
#else
  (void)isa;  // one copy only
  return isa_base::make_backend(threads);
#endif
}

}  // namespace mantissa
