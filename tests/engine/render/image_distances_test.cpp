// How near samples are to the images of a data set.
#include "engine/render/image_distances.h"

#include <gtest/gtest.h>

namespace mantissa {
namespace {

TEST(ExpectedSmallest, IsTheMeanOverAllChoices) {
  // Pairs of 1, 2, 4, 8: smallest 1, 1, 1, 2, 2, 4.
  EXPECT_NEAR(expected_smallest({8, 1, 4, 2}, 2), 11.0 / 6, 1e-12);
  EXPECT_NEAR(expected_smallest({8, 1, 4, 2}, 1), 15.0 / 4, 1e-12);
  EXPECT_NEAR(expected_smallest({8, 1, 4, 2}, 4), 1, 1e-12);
  // Triples: 1, 1, 1, 2.
  EXPECT_NEAR(expected_smallest({8, 1, 4, 2}, 3), 5.0 / 4, 1e-12);
  EXPECT_NEAR(expected_smallest({3}, 1), 3, 1e-12);
}

}  // namespace
}  // namespace mantissa
