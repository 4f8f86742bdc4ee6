#include "engine/io/bpe_merges.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <random>
#include <string>

namespace mantissa {
namespace {

using Ids = std::vector<std::int32_t>;

/// The definition: in each step the pair of lowest rank, leftmost, is merged.
Ids merged_slowly(const std::map<std::pair<int, int>, std::pair<int, int>>& merges, Ids tokens) {
  for (;;) {
    auto best = merges.end();
    std::size_t place = 0;
    for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
      const auto at = merges.find({tokens[i], tokens[i + 1]});
      if (at != merges.end() && (best == merges.end() || at->second.first < best->second.first)) {
        best = at;
        place = i;
      }
    }
    if (best == merges.end()) {
      return tokens;
    }
    tokens[place] = best->second.second;
    tokens.erase(tokens.begin() + static_cast<std::ptrdiff_t>(place) + 1);
  }
}

TEST(BpeMerges, FollowTheDefinition) {
  std::mt19937 random(9);
  for (int round = 0; round < 300; ++round) {
    BpeMerges fast;
    std::map<std::pair<int, int>, std::pair<int, int>> slow;
    std::map<std::string, int> ids{{"a", 0}, {"b", 1}, {"c", 2}};
    std::vector<std::string> texts{"a", "b", "c"};
    for (int rank = 0; rank < 40; ++rank) {
      const std::string left = texts[random() % texts.size()],
                        right = texts[random() % texts.size()];
      const auto [at, made] = ids.emplace(left + right, static_cast<int>(texts.size()));
      if (made) {
        texts.push_back(left + right);
      }
      const bool first =
          slow.emplace(std::pair(ids[left], ids[right]), std::pair(rank, at->second)).second;
      EXPECT_EQ(fast.add(ids[left], ids[right], rank, at->second), first);
    }
    for (int i = 0; i < 20; ++i) {
      Ids tokens(random() % 30);
      std::generate(tokens.begin(), tokens.end(), [&] { return static_cast<int>(random() % 3); });
      Ids fast_tokens = tokens;
      fast.apply(fast_tokens);
      ASSERT_EQ(fast_tokens, merged_slowly(slow, tokens));
    }
  }
  Ids none;
  BpeMerges().apply(none);
  EXPECT_TRUE(none.empty());
  Ids two{4, 5};
  BpeMerges().apply(two);
  EXPECT_EQ(two, (Ids{4, 5}));
}

}  // namespace
}  // namespace mantissa
