// GEMMs of every backend against the CPU's: all transpositions, operand and result dtypes, rows
// with gaps, and results that begin as NaNs or as values to be added to.
#include <gtest/gtest.h>
#include <utility>

#include "tests/kernels/side_by_side.h"

namespace mantissa::testing {
namespace {

struct ProductCase {
  std::int64_t m, n, k, gap;
};

constexpr ProductCase kProducts[] = {{1, 1, 1, 0},    {1, 13, 7, 0},   {3, 1, 40, 2},
                                     {16, 64, 33, 0}, {5, 31, 129, 3}, {37, 16, 300, 8}};

class MatmulParity : public ::testing::TestWithParam<TestBackend> {};
MANTISSA_FOR_EACH_BACKEND(MatmulParity);

double tolerance(DType result) {
  return result == DType::f64 ? 1e-13 : result == DType::f32 ? 1e-6 : 0x1p-8;
}

TEST_P(MatmulParity, EveryLayoutAndDtype) {
  for (const auto& [type, result] :
       {std::pair(DType::f64, DType::f64), std::pair(DType::f32, DType::f32),
        std::pair(DType::f16, DType::f16), std::pair(DType::bf16, DType::bf16),
        std::pair(DType::f16, DType::f32), std::pair(DType::bf16, DType::f32)}) {
    for (const ProductCase& c : kProducts) {
      for (int form = 0; form < 8; ++form) {
        const bool adds = (form & 4) != 0;
        const MatmulOptions o{(form & 1) != 0, (form & 2) != 0, 0.5F, adds ? 1.0F : 0.0F};
        SideBySide both(GetParam());
        const Pair& a =
            both.random(type, o.transpose_a ? Shape{c.k, c.m} : Shape{c.m, c.k}, 1, {c.gap});
        const Pair& b =
            both.random(type, o.transpose_b ? Shape{c.n, c.k} : Shape{c.k, c.n}, 2, {c.gap});
        const Pair& out = adds ? both.random(result, {c.m, c.n}, 3, {c.gap})
                               : both.poisoned(result, {c.m, c.n}, c.gap);
        both.run([&](Kernels& k, const auto& at) { k.matmul(at(a), at(b), {}, at(out), o); });
        both.expect_near(out, tolerance(result),
                         Shape{c.m, c.n, c.k}.str() + " " + std::string(dtype_name(type)) + " to " +
                             std::string(dtype_name(result)) + " form " + std::to_string(form),
                         1);
      }
    }
  }
}

}  // namespace
}  // namespace mantissa::testing
