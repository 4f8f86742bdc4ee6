// GEMMs of every backend against the CPU's: all transpositions, operand and result dtypes, rows
// with gaps, and results that begin as NaNs or as values to be added to.
#include <gtest/gtest.h>
#include <tuple>
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

TEST_P(MatmulParity, BlocksOfADiagonal) {
  constexpr int kBlocks = 3;
  constexpr std::int64_t kRows = 21, kWide = 16, kRank = 4;
  for (const auto& [type, result] :
       {std::pair(DType::f64, DType::f64), std::pair(DType::f32, DType::f32),
        std::pair(DType::bf16, DType::bf16), std::pair(DType::bf16, DType::f32)}) {
    // An adapter's up product, the gradient of its input, and that of its matrix.
    for (const auto& [form, a_shape, b_shape, out_shape] :
         {std::tuple(MatmulOptions{false, true, 0.5F}, Shape{kRows, kBlocks * kRank},
                     Shape{kBlocks * kWide, kRank}, Shape{kRows, kBlocks * kWide}),
          std::tuple(MatmulOptions{false, false, 0.5F}, Shape{kRows, kBlocks * kWide},
                     Shape{kBlocks * kWide, kRank}, Shape{kRows, kBlocks * kRank}),
          std::tuple(MatmulOptions{true, false, 0.5F, 1.0F}, Shape{kRows, kBlocks * kWide},
                     Shape{kRows, kBlocks * kRank}, Shape{kBlocks * kWide, kRank})}) {
      for (const std::int64_t gap : {0, 8}) {
        for (const bool addend : {false, true}) {
          MatmulOptions o = form;
          o.blocks = kBlocks;
          o.beta = addend ? 1.0F : o.beta;
          SideBySide both(GetParam());
          const Pair& a = both.random(type, a_shape, 1, {gap});
          const Pair& b = both.random(type, b_shape, 2, {gap});
          const Pair& added = both.random(result, out_shape, 4, {gap});
          const Pair& out = o.beta != 0 && !addend ? both.random(result, out_shape, 3, {gap})
                                                   : both.poisoned(result, out_shape, gap);
          both.run([&](Kernels& k, const auto& at) {
            MatmulOptions call = o;
            call.addend = addend ? at(added) : View{};
            k.matmul(at(a), at(b), {}, at(out), call);
          });
          both.expect_near(out, tolerance(result),
                           a_shape.str() + " " + std::string(dtype_name(type)), 1);
        }
      }
    }
  }
}

TEST_P(MatmulParity, AnAddendThatStays) {
  for (const auto& [type, result] :
       {std::pair(DType::f64, DType::f64), std::pair(DType::f32, DType::f32),
        std::pair(DType::f16, DType::f16), std::pair(DType::bf16, DType::bf16),
        std::pair(DType::bf16, DType::f32)}) {
    for (const ProductCase& c : kProducts) {
      SideBySide both(GetParam());
      const Pair& a = both.random(type, {c.m, c.k}, 1, {c.gap});
      const Pair& b = both.random(type, {c.n, c.k}, 2, {c.gap});
      const Pair& added = both.random(result, {c.m, c.n}, 3, {2 * c.gap});
      const Pair& out = both.poisoned(result, {c.m, c.n}, c.gap);
      both.run([&](Kernels& k, const auto& at) {
        MatmulOptions o{false, true, 0.5F, 0.75F};
        o.addend = at(added);
        k.matmul(at(a), at(b), {}, at(out), o);
      });
      both.expect_near(out, tolerance(result),
                       Shape{c.m, c.n, c.k}.str() + " " + std::string(dtype_name(type)), 1);
    }
  }
}

}  // namespace
}  // namespace mantissa::testing
