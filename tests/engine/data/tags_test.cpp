#include "engine/data/tags.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <set>

#include "engine/core/random.h"

namespace mantissa {
namespace {

using Tags = std::vector<std::string>;

RandomKey key(std::uint64_t epoch, std::uint64_t item = 0) {
  return random_key(7, RandomStream::caption_order, epoch, item);
}

TEST(Tags, StandBetweenCommas) {
  EXPECT_EQ(caption_tags("a, b ,c", false), (Tags{"a", "b", "c"}));
  EXPECT_EQ(caption_tags(" red hat,\tblue  sky ,, ", false), (Tags{"red hat", "blue  sky"}));
  EXPECT_EQ(caption_tags("", false), Tags{});
  EXPECT_EQ(caption_tags("one", false), Tags{"one"});
  EXPECT_EQ(caption_tags("(a, b:1.2), c", false), (Tags{"(a", "b:1.2)", "c"}));
}

TEST(Tags, EmphasisStaysWhole) {
  EXPECT_EQ(caption_tags("(a, b:1.2), c", true), (Tags{"(a, b:1.2)", "c"}));
  EXPECT_EQ(caption_tags("[x, (y, z)], w", true), (Tags{"[x, (y, z)]", "w"}));
  EXPECT_EQ(caption_tags("\\(a, b\\), c", true), (Tags{"\\(a", "b\\)", "c"}));
  EXPECT_EQ(caption_tags("a), b", true), (Tags{"a)", "b"}));
  EXPECT_EQ(caption_tags("(a, b", true), Tags{"(a, b"}) << "never closed: nothing is lost";
}

TEST(Tags, ShuffleKeepsEveryTagAndTheFirst) {
  const std::string caption = "zorb, red, on a hill, night, two-ink print, small";
  for (int keep = 0; keep < 5; ++keep) {
    std::set<std::string> orders;
    for (std::uint64_t epoch = 0; epoch < 50; ++epoch) {
      const std::string text = shuffled_caption(caption, keep, false, key(epoch));
      Tags now = caption_tags(text, false);
      Tags before = caption_tags(caption, false);
      EXPECT_TRUE(std::equal(now.begin(), now.begin() + keep, before.begin()));
      std::sort(now.begin(), now.end());
      std::sort(before.begin(), before.end());
      EXPECT_EQ(now, before);
      EXPECT_EQ(text, shuffled_caption(caption, keep, false, key(epoch)));
      orders.insert(text);
    }
    EXPECT_GT(orders.size(), keep == 4 ? 1u : 4u) << keep;
  }
  EXPECT_NE(shuffled_caption(caption, 0, false, key(1, 0)),
            shuffled_caption(caption, 0, false, key(1, 1)));
}

TEST(Tags, WhatCannotMoveStaysToTheByte) {
  for (const char* caption : {"", "one", " odd ,, spaces", "a,b"}) {
    EXPECT_EQ(shuffled_caption(caption, 1, false, key(3)), caption);
    EXPECT_FALSE(can_shuffle(caption, 1, false));
  }
  EXPECT_TRUE(can_shuffle("a,b", 0, false));
  EXPECT_EQ(shuffled_caption("a,b,c", 255, false, key(3)), "a,b,c");
}

}  // namespace
}  // namespace mantissa
