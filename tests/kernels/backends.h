#pragma once
// The backends under test.

#include <functional>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "kernels/kernels.h"

namespace mantissa::testing {

struct TestBackend {
  std::string name;  ///< letters, digits and underscores
  /// A new backend that accepts views of host memory.
  std::function<std::unique_ptr<Kernels>()> make;
};

inline void PrintTo(const TestBackend& backend, std::ostream* out) {
  *out << backend.name;
}

/// Backends of this test program: each program with these tests has its own backends.cpp.
std::vector<TestBackend> test_backends();

}  // namespace mantissa::testing

/// Runs the TEST_Ps of `Fixture` once for each backend.
#define MANTISSA_FOR_EACH_BACKEND(Fixture)                                            \
  INSTANTIATE_TEST_SUITE_P(Backends, Fixture,                                         \
                           ::testing::ValuesIn(::mantissa::testing::test_backends()), \
                           [](const auto& info) { return info.param.name; })
