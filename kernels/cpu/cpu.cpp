#include "kernels/cpu/cpu.h"

#include <algorithm>
#include <stdexcept>
#include <thread>

namespace mantissa {

// Copies of the kernels that a build may have (CMakeLists.txt).
namespace isa_v3 {
std::unique_ptr<Kernels> make_backend(int threads);
}
namespace isa_v4 {
std::unique_ptr<Kernels> make_backend(int threads);
}
namespace isa_v4_bf16 {
std::unique_ptr<Kernels> make_backend(int threads);
}
namespace isa_base {
std::unique_ptr<Kernels> make_backend(int threads);
}

#if !defined(MANTISSA_HAS_base)
namespace {

[[maybe_unused]] bool has_avx512() {
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
         __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
         __builtin_cpu_supports("avx512cd");
}

// Every processor with bf16 has VNNI.
[[maybe_unused]] bool has_bf16() {
  return has_avx512() && __builtin_cpu_supports("avx512bf16") &&
         __builtin_cpu_supports("avx512vnni");
}

[[maybe_unused]] void require_avx2() {
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma") ||
      !__builtin_cpu_supports("bmi2")) {
    throw std::runtime_error(
        "This processor has no AVX2 and FMA, which the CPU backend needs; use a processor made "
        "after 2013.");
  }
}

}  // namespace
#endif

std::unique_ptr<Kernels> make_cpu_kernels(int threads, CpuIsa isa) {
  if (threads <= 0) {
    threads = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  }
#if defined(MANTISSA_HAS_base)
  (void)isa;
  return isa_base::make_backend(threads);
#else
#if defined(MANTISSA_HAS_v3)
  const bool best = isa == CpuIsa::best;
#else
  const bool best = true;  // one copy only, for the processor that it was made on
  (void)isa;
#endif
#if defined(MANTISSA_HAS_v4_bf16)
  if (best && has_bf16()) {
    return isa_v4_bf16::make_backend(threads);
  }
#endif
#if defined(MANTISSA_HAS_v4)
  if (best && has_avx512()) {
    return isa_v4::make_backend(threads);
  }
#endif
#if defined(MANTISSA_HAS_v3)
  require_avx2();
  return isa_v3::make_backend(threads);
#else
  throw std::runtime_error(
      "This build is for the processor that it was made on, which has AVX-512; build again with "
      "MANTISSA_CPU_ISA=all.");
#endif
#endif
}

}  // namespace mantissa
