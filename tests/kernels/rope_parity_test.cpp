#include <cmath>
#include <gtest/gtest.h>

#include "kernels/check.h"
#include "tests/kernels/golden_cases.h"
#include "tests/kernels/side_by_side.h"

// Rotations of every backend are the CPU's to the bit, and the backward pass undoes the forward.

namespace mantissa::testing {
namespace {

constexpr DType kRopeDTypes[] = {DType::f64, DType::f32, DType::f16, DType::bf16};
constexpr RopePairs kLayouts[] = {RopePairs::interleaved, RopePairs::halves};

struct RopeCase {
  std::int64_t batch, tokens, heads, half;
  bool own_tables = false;
  std::int64_t gap = 0;
};

constexpr RopeCase kRopeCases[] = {
    {1, 1, 1, 1},            // one pair
    {2, 3, 2, 1, true},      // one pair a head
    {1, 5, 3, 7},            // heads that no pack fits
    {2, 7, 2, 8, false, 3},  // rows that none fits
    {2, 9, 3, 16, true, 8},  // packs with gaps
    {1, 33, 4, 64},          // heads of the transformers
    {3, 11, 2, 20, true},    // 16-bit packs of interleaved pairs, none of halves
    {1, 3, 1, 129},          // a tail of every register
    {0, 4, 2, 8},            // no samples
    {2, 0, 2, 8, true},      // no tokens
    {1, 40, 24, 64},         // many heads
};

class RopeParity : public ::testing::TestWithParam<TestBackend> {};
MANTISSA_FOR_EACH_BACKEND(RopeParity);

TEST_P(RopeParity, IsTheCpusToTheBit) {
  for (const DType type : kRopeDTypes) {
    for (const RopeCase& c : kRopeCases) {
      for (const RopePairs pairs : kLayouts) {
        for (const bool inverse : {false, true}) {
          SideBySide both(GetParam());
          const Shape shape{c.batch, c.tokens, 2 * c.heads * c.half};
          const Shape table{c.own_tables ? c.batch : 1, c.tokens, c.half};
          const Pair& x = both.random(type, shape, 1, {c.gap, 3});
          const Pair& cos = both.random(statistics_dtype(type), table, 2);
          const Pair& sin = both.random(statistics_dtype(type), table, 3);
          const Pair& out = both.poisoned(type, shape, c.gap);
          both.run([&](Kernels& k, const auto& at) {
            k.rope(at(x), at(cos), at(sin), at(out), {static_cast<int>(c.heads), pairs, inverse});
          });
          both.expect_same(out, "rope");
        }
      }
    }
  }
}

// ERNIE-Image's: the channels of a pair turn by angles of their own.
TEST_P(RopeParity, OwnAnglesAreTheCpusToTheBit) {
  for (const DType type : kRopeDTypes) {
    for (const RopeCase& c : kRopeCases) {
      for (const bool inverse : {false, true}) {
        SideBySide both(GetParam());
        const Shape shape{c.batch, c.tokens, 2 * c.heads * c.half};
        const Shape table{c.own_tables ? c.batch : 1, c.tokens, 2 * c.half};
        const Pair& x = both.random(type, shape, 1, {c.gap, 3});
        const Pair& cos = both.random(statistics_dtype(type), table, 2);
        const Pair& sin = both.random(statistics_dtype(type), table, 3);
        const Pair& out = both.poisoned(type, shape, c.gap);
        both.run([&](Kernels& k, const auto& at) {
          k.rope(at(x), at(cos), at(sin), at(out),
                 {static_cast<int>(c.heads), RopePairs::halves, inverse});
        });
        both.expect_same(out, "rope");
      }
    }
  }
}

TEST_P(RopeParity, EachChannelTakesItsOwnAngle) {
  const auto kernels = GetParam().make();
  const Tensor x = hash_tensor(DType::f64, {1, 2, 12}, 1);
  const Tensor cos = hash_tensor(DType::f64, {1, 2, 6}, 2);
  const Tensor sin = hash_tensor(DType::f64, {1, 2, 6}, 3);
  Tensor forward(DType::f64, {1, 2, 12}), back(DType::f64, {1, 2, 12});
  kernels->rope(x.view, cos.view, sin.view, forward.view, {2, RopePairs::halves, false});
  kernels->rope(x.view, cos.view, sin.view, back.view, {2, RopePairs::halves, true});
  for (std::int64_t head = 0; head < 4; ++head) {  // of both tokens
    for (std::int64_t i = 0; i < 3; ++i) {
      const std::int64_t a = 6 * head + i, b = a + 3, of_a = 6 * (head / 2) + i, of_b = of_a + 3;
      EXPECT_NEAR(forward.get(a), x.get(a) * cos.get(of_a) - x.get(b) * sin.get(of_a), 1e-15);
      EXPECT_NEAR(forward.get(b), x.get(b) * cos.get(of_b) + x.get(a) * sin.get(of_b), 1e-15);
      EXPECT_NEAR(back.get(a), x.get(a) * cos.get(of_a) + x.get(b) * sin.get(of_b), 1e-15);
      EXPECT_NEAR(back.get(b), x.get(b) * cos.get(of_b) - x.get(a) * sin.get(of_a), 1e-15);
    }
  }
}

TEST_P(RopeParity, InPlaceAndOnSlices) {
  for (const DType type : kRopeDTypes) {
    for (const RopePairs pairs : kLayouts) {
      SideBySide both(GetParam());
      const Shape whole{2, 6, 3 * 48};
      const Pair& qkv = both.random(type, whole, 1);
      const Pair& cos = both.random(statistics_dtype(type), {1, 6, 8}, 2);
      const Pair& sin = both.random(statistics_dtype(type), {1, 6, 8}, 3);
      both.run([&](Kernels& k, const auto& at) {
        for (const std::int64_t first : {0, 48}) {
          View part = at(qkv);
          part.data = part.as<char>() + static_cast<std::size_t>(first) * dtype_size(part.dtype);
          part.shape = {2, 6, 48};
          k.rope(part, at(cos), at(sin), part, {3, pairs});
        }
      });
      both.expect_same(qkv, "qkv");
    }
  }
}

TEST_P(RopeParity, TheInverseUndoesIt) {
  const auto kernels = GetParam().make();
  for (const RopePairs pairs : kLayouts) {
    const Tensor x = hash_tensor(DType::f64, {2, 5, 24}, 1);
    Tensor cos(DType::f64, {1, 5, 4}), sin(DType::f64, {1, 5, 4});
    for (std::int64_t i = 0; i < 20; ++i) {
      cos.set(i, std::cos(0.37 * static_cast<double>(i)));
      sin.set(i, std::sin(0.37 * static_cast<double>(i)));
    }
    Tensor turned(DType::f64, {2, 5, 24}), back(DType::f64, {2, 5, 24});
    kernels->rope(x.view, cos.view, sin.view, turned.view, {3, pairs, false});
    kernels->rope(turned.view, cos.view, sin.view, back.view, {3, pairs, true});
    for (std::int64_t i = 0; i < x.view.count(); ++i) {
      EXPECT_NEAR(back.get(i), x.get(i), 1e-15);
    }
    EXPECT_EQ(turned.get(0), x.get(0)) << "position 0 has no angle";
    EXPECT_NE(turned.get(24), x.get(24));
  }
}

}  // namespace
}  // namespace mantissa::testing
