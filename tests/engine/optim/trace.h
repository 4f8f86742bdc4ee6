#pragma once
// The inputs of tests/golden/make_optim.py.

#include <cstdint>
#include <vector>

namespace mantissa::testing {

/// In [-1/2, 1/2), of 32 bits.
inline double uniform(std::uint64_t index, std::uint64_t salt) {
  constexpr std::uint64_t kMask = 0xffffffffu;
  std::uint64_t x = (index * 2654435761u + salt * 40503u + 12345u) & kMask;
  x ^= x >> 15;
  x = (x * 2246822519u) & kMask;
  x ^= x >> 13;
  x = (x * 3266489917u) & kMask;
  x ^= x >> 16;
  return static_cast<double>(x) / 4294967296.0 - 0.5;
}

inline std::vector<float> start_values(std::size_t n) {
  std::vector<float> p(n);
  for (std::size_t i = 0; i < n; ++i) {
    p[i] = static_cast<float>(2.0 * uniform(i, 1000001));
  }
  return p;
}

/// pull·a·(p - t) + noise·u, a in [1/2, 3/2), t in [-1, 1).
inline float trace_gradient(float p, std::size_t i, std::uint64_t step, double pull, double noise) {
  const double a = 1.0 + uniform(i, 1000002), t = 2.0 * uniform(i, 1000003);
  return static_cast<float>(pull * a * (static_cast<double>(p) - t) + noise * uniform(i, step));
}

}  // namespace mantissa::testing
