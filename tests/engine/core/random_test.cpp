#include "engine/core/random.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <numeric>

namespace mantissa {
namespace {

// Random123's published known answers for Philox4x32-10.
TEST(Philox, KnownAnswers) {
  EXPECT_EQ(philox4x32({0, 0, 0, 0}, {0, 0}),
            (std::array<std::uint32_t, 4>{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  EXPECT_EQ(philox4x32({0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff}, {0xffffffff, 0xffffffff}),
            (std::array<std::uint32_t, 4>{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(philox4x32({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
            (std::array<std::uint32_t, 4>{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(Random, BelowIsTheHighProduct) {
  for (std::uint32_t step = 0; step < 200; ++step) {
    const RandomKey key = random_key(99, RandomStream::shuffle, step);
    const auto words = random_block(key, 0);
    const auto bits = static_cast<unsigned __int128>((std::uint64_t{words[1]} << 32) | words[0]);
    for (const std::uint64_t n : {std::uint64_t{1}, std::uint64_t{3}, std::uint64_t{1000},
                                  (std::uint64_t{1} << 40) + 7, ~std::uint64_t{0}}) {
      ASSERT_EQ(random_below(key, n), static_cast<std::uint64_t>((bits * n) >> 64));
    }
  }
}

TEST(Random, ShuffleIsAPermutationAndPure) {
  std::vector<int> a(100);
  std::iota(a.begin(), a.end(), 0);
  std::vector<int> b = a;
  random_shuffle(a, random_key(5, RandomStream::shuffle, 1));
  random_shuffle(b, random_key(5, RandomStream::shuffle, 1));
  EXPECT_EQ(a, b);
  random_shuffle(b, random_key(5, RandomStream::shuffle, 2));
  EXPECT_NE(a, b);
  std::sort(a.begin(), a.end());
  for (int i = 0; i < 100; ++i) {
    ASSERT_EQ(a[static_cast<std::size_t>(i)], i);
  }
}

TEST(Random, ShuffleIsFair) {
  int counts[3][3] = {};
  for (std::uint32_t i = 0; i < 3000; ++i) {
    std::vector<int> v{0, 1, 2};
    random_shuffle(v, random_key(1, RandomStream::shuffle, i));
    for (int k = 0; k < 3; ++k) {
      ++counts[k][v[static_cast<std::size_t>(k)]];
    }
  }
  for (const auto& row : counts) {
    for (const int n : row) {
      EXPECT_NEAR(n, 1000, 130);  // 5σ
    }
  }
}

}  // namespace
}  // namespace mantissa
