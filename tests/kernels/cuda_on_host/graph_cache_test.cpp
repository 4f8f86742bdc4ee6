#include "kernels/cuda/graph_cache.h"

#include <gtest/gtest.h>
#include <stdexcept>
#include <vector>

namespace mantissa::cuda {
namespace {

struct Thing {
  int number = 0;
  bool lasts = true;
};

TEST(GraphCache, BuildsOnceWhatLasts) {
  GraphCache<Thing> cache;
  int built = 0;
  const auto build = [&] { return Thing{++built}; };
  for (int i = 0; i < 5; ++i) {
    EXPECT_EQ(cache.get("a", build, true).number, 1);
  }
  EXPECT_EQ(cache.get("b", build, true).number, 2);
}

TEST(GraphCache, TriesAgainWhatFailedForTheMoment) {
  GraphCache<Thing> cache;
  int tries = 0;
  const auto build = [&] { return Thing{++tries, tries > 3}; };
  EXPECT_EQ(cache.get("a", build, true).number, 1);
  EXPECT_EQ(cache.get("a", build, false).number, 1) << "not while a step is recorded";
  std::vector<int> numbers;
  for (int i = 0; i < 9; ++i) {
    numbers.push_back(cache.get("a", build, true).number);
  }
  EXPECT_EQ(numbers, (std::vector<int>{2, 2, 3, 3, 3, 3, 4, 4, 4})) << "less and less often";
}

TEST(GraphCache, AnExceptionKeepsNothing) {
  GraphCache<Thing> cache;
  EXPECT_THROW(cache.get(
                   "a", []() -> Thing { throw std::runtime_error("recording"); }, true),
               std::runtime_error);
  EXPECT_EQ(cache
                .get(
                    "a", [] { return Thing{7}; }, true)
                .number,
            7);
}

}  // namespace
}  // namespace mantissa::cuda
