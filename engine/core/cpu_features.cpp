#include "engine/core/cpu_features.h"

#if defined(_MSC_VER) && defined(_M_X64)
#include <intrin.h>
#endif

namespace mantissa {

std::vector<std::string> cpu_features() {
  std::vector<std::string> features;
#if defined(__x86_64__) && defined(__GNUC__)
  __builtin_cpu_init();
  const auto add = [&](bool has, const char* name) {
    if (has) {
      features.emplace_back(name);
    }
  };
  add(__builtin_cpu_supports("sse4.2"), "sse4.2");
  add(__builtin_cpu_supports("avx"), "avx");
  add(__builtin_cpu_supports("avx2"), "avx2");
  add(__builtin_cpu_supports("fma"), "fma");
  add(__builtin_cpu_supports("avx512f"), "avx512f");
  add(__builtin_cpu_supports("avx512vnni"), "avx512vnni");
  add(__builtin_cpu_supports("avx512bf16"), "avx512bf16");
#elif defined(_MSC_VER) && defined(_M_X64)
  int leaf1[4], leaf7[4];
  __cpuidex(leaf1, 1, 0);
  __cpuidex(leaf7, 7, 0);
  const auto add = [&](int bits, int bit, const char* name) {
    if ((bits >> bit & 1) != 0) {
      features.emplace_back(name);
    }
  };
  add(leaf1[2], 20, "sse4.2");
  add(leaf1[2], 28, "avx");
  add(leaf7[1], 5, "avx2");
  add(leaf1[2], 12, "fma");
  add(leaf7[1], 16, "avx512f");
  add(leaf7[2], 11, "avx512vnni");
#elif defined(__aarch64__) || defined(_M_ARM64)
  features.emplace_back("neon");
#endif
  return features;
}

}  // namespace mantissa
