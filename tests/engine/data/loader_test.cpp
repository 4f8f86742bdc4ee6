#include "engine/data/loader.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <set>

#include "engine/core/error.h"

namespace mantissa {
namespace {

const std::vector<std::size_t> kBuckets{0, 0, 2, 0, 2, 0, 0, 2, 5, 0};

LoaderOptions options(int batch, int repeats = 1) {
  LoaderOptions o;
  o.batch_size = batch;
  o.repeats = repeats;
  o.seed = 11;
  return o;
}

TEST(Loader, EveryImageOncePerEpochAndRepeat) {
  for (const int batch : {1, 2, 3, 4, 7, 16}) {
    for (const int repeats : {1, 2, 5}) {
      const Loader loader(kBuckets, options(batch, repeats));
      std::int64_t fillers = 0;
      for (const BucketUse& use : loader.use()) {
        fillers += use.fillers;
      }
      EXPECT_EQ(loader.batches_per_epoch() * batch,
                static_cast<std::int64_t>(kBuckets.size()) * repeats + fillers);
      for (std::int64_t epoch = 0; epoch < 3; ++epoch) {
        std::map<std::size_t, int> seen;
        for (std::int64_t i = 0; i < loader.batches_per_epoch(); ++i) {
          const BatchPlan p = loader.plan(epoch * loader.batches_per_epoch() + i);
          ASSERT_EQ(p.epoch, epoch);
          ASSERT_EQ(p.index, i);
          ASSERT_EQ(p.items.size(), static_cast<std::size_t>(batch));
          ASSERT_EQ(p.flip.size(), p.items.size());
          for (const std::size_t item : p.items) {
            ASSERT_EQ(kBuckets[item], p.bucket);
            ++seen[item];
          }
        }
        ASSERT_EQ(seen.size(), kBuckets.size());
        std::map<std::size_t, std::pair<int, int>> range;  // least and most in a bucket
        for (const auto& [item, count] : seen) {
          ASSERT_GE(count, repeats);
          auto& [least, most] = range.try_emplace(kBuckets[item], count, count).first->second;
          least = std::min(least, count);
          most = std::max(most, count);
        }
        for (const auto& [bucket, counts] : range) {
          // Fillers of the last batch are taken from all images in turn, never the same one
          // repeatedly.
          ASSERT_LE(counts.second - counts.first, repeats) << "bucket " << bucket;
        }
      }
    }
  }
}

TEST(Loader, PlanIsAPureFunctionOfTheStep) {
  LoaderOptions o = options(2, 3);
  o.flip = true;
  o.caption_dropout = 0.3;
  const Loader a(kBuckets, o);
  const Loader b(kBuckets, o);
  std::vector<BatchPlan> forward;
  for (int i = 0; i < 100; ++i) {
    forward.push_back(a.plan(i));
  }
  for (int i = 99; i >= 0; i -= 7) {  // a resumed run starts at any step
    const BatchPlan p = b.plan(i);
    const BatchPlan& q = forward[static_cast<std::size_t>(i)];
    EXPECT_EQ(p.items, q.items);
    EXPECT_EQ(p.flip, q.flip);
    EXPECT_EQ(p.drop_caption, q.drop_caption);
    EXPECT_EQ(p.bucket, q.bucket);
  }
}

TEST(Loader, EpochsAndSeedsDiffer) {
  const std::vector<std::size_t> one(50, 0);
  const auto order = [&](std::uint64_t seed, std::int64_t epoch) {
    LoaderOptions o = options(1);
    o.seed = seed;
    const Loader loader(one, o);
    std::vector<std::size_t> items;
    for (int i = 0; i < 50; ++i) {
      items.push_back(loader.plan(epoch * 50 + i).items[0]);
    }
    return items;
  };
  EXPECT_NE(order(1, 0), order(1, 1));
  EXPECT_NE(order(1, 0), order(2, 0));
  EXPECT_EQ(order(1, 7), order(1, 7));
}

TEST(Loader, FlipAndDropoutFollowTheirProbability) {
  LoaderOptions o = options(4);
  o.flip = true;
  o.caption_dropout = 0.1;
  const Loader loader(kBuckets, o);
  int flips = 0;
  int drops = 0;
  for (int i = 0; i < 2500; ++i) {
    const BatchPlan p = loader.plan(i);
    for (std::size_t k = 0; k < 4; ++k) {
      flips += p.flip[k] ? 1 : 0;
      drops += p.drop_caption[k] ? 1 : 0;
    }
  }
  EXPECT_NEAR(flips, 5000, 250);  // 5σ
  EXPECT_NEAR(drops, 1000, 150);
  const Loader plain(kBuckets, options(4));
  for (int i = 0; i < 100; ++i) {
    for (std::size_t k = 0; k < 4; ++k) {
      EXPECT_FALSE(plain.plan(i).flip[k]);
      EXPECT_FALSE(plain.plan(i).drop_caption[k]);
    }
  }
}

// One draw for both would drop only captions of flipped images.
TEST(Loader, FlipAndDropoutAreIndependent) {
  LoaderOptions o = options(4);
  o.flip = true;
  o.caption_dropout = 0.2;
  const Loader loader(kBuckets, o);
  int drops = 0, of_flipped = 0;
  for (int i = 0; i < 2500; ++i) {
    const BatchPlan p = loader.plan(i);
    for (std::size_t k = 0; k < 4; ++k) {
      drops += p.drop_caption[k] ? 1 : 0;
      of_flipped += p.drop_caption[k] && p.flip[k] ? 1 : 0;
    }
  }
  EXPECT_NEAR(drops, 2000, 200);                // 5σ
  EXPECT_NEAR(of_flipped, drops / 2.0, 112.0);  // 5σ
}

// Every N uses of an image go through its N versions, with any number of repeats.
TEST(Loader, EveryVersionOnceBeforeAnyTwice) {
  const std::vector<int> repeats{1, 2, 3, 1, 5, 1, 1, 2, 4, 1};
  LoaderOptions o = options(1);
  o.variants = 4;
  const Loader loader(kBuckets, o, repeats);
  std::map<std::size_t, std::vector<int>> seen;
  for (std::int64_t i = 0; i < 8 * loader.batches_per_epoch(); ++i) {
    const BatchPlan p = loader.plan(i);
    ASSERT_EQ(p.variant.size(), 1u);
    ASSERT_GE(p.variant[0], 0);
    ASSERT_LT(p.variant[0], 4);
    seen[p.items[0]].push_back(p.variant[0]);
  }
  std::set<std::vector<int>> orders;
  for (const auto& [item, versions] : seen) {
    ASSERT_EQ(versions.size(), static_cast<std::size_t>(8 * repeats[item]));
    for (const int version : {0, 1, 2, 3}) {
      EXPECT_EQ(std::count(versions.begin(), versions.end(), version), 2 * repeats[item])
          << "item " << item;
    }
    if (repeats[item] == 1) {
      for (const auto round : {versions.begin(), versions.begin() + 4}) {
        EXPECT_EQ(std::set<int>(round, round + 4).size(), 4u) << "item " << item;
      }
      orders.insert(versions);
    }
  }
  EXPECT_GT(orders.size(), 3u) << "images have orders of their own";
}

TEST(Loader, VersionsChangeNothingElse) {
  LoaderOptions o = options(3, 2);
  o.flip = true;
  o.caption_dropout = 0.3;
  const Loader plain(kBuckets, o);
  o.variants = 5;
  const Loader loader(kBuckets, o), again(kBuckets, o);
  for (int i = 40; i >= 0; --i) {
    const BatchPlan p = loader.plan(i), q = plain.plan(i);
    EXPECT_EQ(p.items, q.items);
    EXPECT_EQ(p.flip, q.flip);
    EXPECT_EQ(p.drop_caption, q.drop_caption);
    EXPECT_EQ(q.variant, std::vector<int>(3, 0));
    EXPECT_EQ(p.variant, again.plan(i).variant) << "resumed in mid-epoch";
  }
}

TEST(Loader, ReportsFillers) {
  const Loader loader(kBuckets, options(4));
  ASSERT_EQ(loader.use().size(), 3u);
  EXPECT_EQ(loader.use()[0].images, 6);
  EXPECT_EQ(loader.use()[0].batches, 2);
  EXPECT_EQ(loader.use()[0].fillers, 2);
  const std::vector<Bucket> buckets(6, Bucket{64, 96});
  EXPECT_NE(loader.report(buckets).find(
                "64x96: 6 images, 2 batches an epoch, 2 repeated to fill the last"),
            std::string::npos);
  EXPECT_EQ(Loader(kBuckets, options(1)).report(buckets).find("repeated"), std::string::npos);
}

TEST(Loader, RefusesNonsense) {
  EXPECT_THROW(Loader({}, options(1)), Error);
  EXPECT_THROW(Loader(kBuckets, options(0)), Error);
  EXPECT_THROW(Loader(kBuckets, options(1, 0)), Error);
  LoaderOptions o = options(1);
  o.caption_dropout = 1.5;
  EXPECT_THROW(Loader(kBuckets, o), Error);
  EXPECT_THROW(Loader(kBuckets, options(1)).plan(-1), Error);
}

}  // namespace
}  // namespace mantissa
