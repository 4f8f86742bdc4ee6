#include "kernels/cpu/cpu.h"

#include <algorithm>
#include <stdexcept>
#include <string_view>
#include <thread>

namespace mantissa {

// Copies of the kernels in this build: v3 and others to choose from at start, or one alone.
#if defined(MANTISSA_HAS_v3)
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

#if defined(MANTISSA_HAS_v3) || defined(MANTISSA_NATIVE_ISA)
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

void require_avx2() {
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
#if defined(MANTISSA_HAS_v3)
#if defined(MANTISSA_HAS_v4_bf16)
  if (isa == CpuIsa::best && has_bf16()) {
    return isa_v4_bf16::make_backend(threads);
  }
#endif
#if defined(MANTISSA_HAS_v4)
  if (isa == CpuIsa::best && has_avx512()) {
    return isa_v4::make_backend(threads);
  }
#endif
  require_avx2();
  return isa_v3::make_backend(threads);
#else
  (void)isa;  // one copy only
#if defined(MANTISSA_NATIVE_ISA)
  require_avx2();
  constexpr std::string_view native = MANTISSA_NATIVE_ISA;
  if ((native == "v4" && !has_avx512()) || (native == "v4_bf16" && !has_bf16())) {
    throw std::runtime_error(
        "This build is for the processor that it was made on, which has AVX-512; build again with "
        "MANTISSA_CPU_ISA=all.");
  }
#endif
  return isa_base::make_backend(threads);
#endif
}

}  // namespace mantissa
