#include "engine/data/buckets.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <gtest/gtest.h>
#include <set>

#include "engine/core/error.h"
#include "engine/core/random.h"

namespace mantissa {
namespace {

std::set<Bucket> with_transposes(std::initializer_list<Bucket> list) {
  std::set<Bucket> all;
  for (const Bucket& b : list) {
    all.insert(b);
    all.insert({b.height, b.width});
  }
  return all;
}

std::set<Bucket> made(const BucketOptions& o) {
  const auto list = make_buckets(o);
  EXPECT_TRUE(std::is_sorted(list.begin(), list.end()));
  return {list.begin(), list.end()};
}

TEST(Buckets, KohyaSets) {
  BucketOptions o;
  o.rule = BucketRule::kohya;
  EXPECT_EQ(
      made(o),
      with_transposes({{256, 2048}, {320, 2048}, {384, 2048}, {448, 2048}, {512, 1856}, {512, 1920},
                       {512, 1984}, {512, 2048}, {576, 1664}, {576, 1728}, {576, 1792}, {640, 1536},
                       {640, 1600}, {704, 1408}, {704, 1472}, {768, 1280}, {768, 1344}, {832, 1216},
                       {896, 1152}, {960, 1088}, {1024, 1024}}));
  EXPECT_EQ(made(o).size(), 41u);
  o.max_side = 1024;
  EXPECT_EQ(made(o).size(), 25u);
  EXPECT_TRUE(made(o).contains({832, 1024}));
  o.resolution = 512;
  EXPECT_EQ(made(o), with_transposes({{256, 832},
                                      {256, 896},
                                      {256, 960},
                                      {256, 1024},
                                      {320, 704},
                                      {320, 768},
                                      {384, 640},
                                      {448, 576},
                                      {512, 512}}));
}

TEST(Buckets, OneTrainerSets) {
  BucketOptions o;
  o.rule = BucketRule::onetrainer;
  EXPECT_EQ(made(o), with_transposes({{1024, 1024},
                                      {896, 1152},
                                      {832, 1280},
                                      {768, 1344},
                                      {704, 1472},
                                      {640, 1600},
                                      {576, 1792},
                                      {576, 1920},
                                      {512, 2048}}));
  o.resolution = 512;
  o.quantum = 8;
  EXPECT_EQ(made(o), with_transposes({{512, 512},
                                      {456, 576},
                                      {416, 624},
                                      {384, 680},
                                      {360, 728},
                                      {320, 808},
                                      {296, 888},
                                      {272, 960},
                                      {256, 1024}}));
}

TEST(Buckets, EqualAreaSet) {
  const auto set = made({});
  EXPECT_TRUE(set.contains({1024, 1024}));
  EXPECT_TRUE(set.contains({832, 1216}));
  EXPECT_TRUE(set.contains({1216, 832}));
  EXPECT_TRUE(set.contains({512, 2048}));
  EXPECT_FALSE(set.contains({448, 2304}));  // beyond 4:1
  BucketOptions square;
  square.buckets = false;
  EXPECT_EQ(made(square), (std::set<Bucket>{{1024, 1024}}));
  square.resolution = 1000;
  EXPECT_EQ(made(square), (std::set<Bucket>{{960, 960}}));
}

TEST(Buckets, EqualAreaInvariants) {
  for (const int quantum : {8, 16, 32, 64}) {
    for (int resolution = quantum; resolution <= 1280; resolution += 8) {
      BucketOptions o;
      o.quantum = quantum;
      o.resolution = resolution;
      const auto set = made(o);
      ASSERT_FALSE(set.empty());
      for (const Bucket& b : set) {
        ASSERT_LE(std::int64_t{b.width} * b.height, std::int64_t{resolution} * resolution);
        ASSERT_EQ(b.width % quantum, 0);
        ASSERT_EQ(b.height % quantum, 0);
        ASSERT_LE(std::max(b.width, b.height), 4 * std::min(b.width, b.height));
        ASSERT_TRUE(set.contains({b.height, b.width}));
      }
    }
  }
}

TEST(Buckets, ResolutionBelowTheQuantumIsRefused) {
  BucketOptions o;
  o.resolution = 63;
  try {
    make_buckets(o);
    ADD_FAILURE();
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("data.resolution"), std::string::npos);
  }
}

TEST(Buckets, ChoosesTheNearestAspect) {
  const auto buckets = make_buckets({});
  const auto chosen = [&](int w, int h) {
    return buckets[choose_bucket(buckets, BucketRule::equal_area, w, h)];
  };
  EXPECT_EQ(chosen(832, 1216), (Bucket{832, 1216}));
  EXPECT_EQ(chosen(4000, 4000), (Bucket{1024, 1024}));
  EXPECT_EQ(chosen(1000, 1500), (Bucket{832, 1216}));
  EXPECT_EQ(chosen(1, 60000).width, 512);
  EXPECT_EQ(chosen(60000, 1).height, 512);
}

// 1:2 lies exactly between 320x768 and 384x640: the narrower bucket is chosen, so that every
// version crops a dataset the same way.
TEST(Buckets, TiesGoToTheNarrowerBucket) {
  BucketOptions o;
  o.resolution = 512;
  const auto buckets = make_buckets(o);
  const auto chosen = [&](int w, int h) {
    return buckets[choose_bucket(buckets, BucketRule::equal_area, w, h)];
  };
  EXPECT_EQ(chosen(500, 1000), (Bucket{320, 768}));
  EXPECT_EQ(chosen(501, 1000), (Bucket{384, 640}));
  EXPECT_EQ(chosen(1000, 500), (Bucket{640, 384}));
  EXPECT_EQ(chosen(1000, 499), (Bucket{768, 320}));
}

// No other bucket is nearer by |ln|, portrait and landscape are treated the same, the image covers
// the bucket, and the crop is inside.
TEST(Buckets, PlacementProperties) {
  for (const int resolution : {64, 512, 1024}) {
    BucketOptions o;
    o.resolution = resolution;
    o.quantum = resolution == 64 ? 16 : 64;
    const auto buckets = make_buckets(o);
    for (std::uint32_t i = 0; i < 10'000; ++i) {
      const RandomKey key = random_key(3, RandomStream::shuffle, i);
      const int w = 1 + static_cast<int>(random_below(key, i % 3 == 0 ? 20'000 : 3000, 0));
      const int h = 1 + static_cast<int>(random_below(key, i % 5 == 0 ? 20'000 : 3000, 1));
      const Bucket b = buckets[choose_bucket(buckets, BucketRule::equal_area, w, h)];
      const auto distance = [&](const Bucket& c) {
        return std::abs(std::log(static_cast<double>(w) / h) -
                        std::log(static_cast<double>(c.width) / c.height));
      };
      for (const Bucket& c : buckets) {
        if (b.width != w || b.height != h) {
          ASSERT_LE(distance(b), distance(c) + 1e-12);
        }
      }
      const Bucket t = buckets[choose_bucket(buckets, BucketRule::equal_area, h, w)];
      ASSERT_NEAR(distance(b),
                  std::abs(std::log(static_cast<double>(h) / w) -
                           std::log(static_cast<double>(t.width) / t.height)),
                  1e-12);

      const Placement p = place_image(b, w, h);
      ASSERT_GE(p.scaled_width, b.width);
      ASSERT_GE(p.scaled_height, b.height);
      ASSERT_TRUE(p.scaled_width == b.width || p.scaled_height == b.height);
      ASSERT_GE(p.left, 0);
      ASSERT_GE(p.top, 0);
      ASSERT_LE(p.left + b.width, p.scaled_width);
      ASSERT_LE(p.top + b.height, p.scaled_height);
      ASSERT_LE(std::abs(p.scaled_width - b.width - 2 * p.left), 1);  // in the middle
      ASSERT_LE(std::abs(p.scaled_height - b.height - 2 * p.top), 1);
      const double scale =
          std::max(static_cast<double>(b.width) / w, static_cast<double>(b.height) / h);
      ASSERT_NEAR(p.scaled_width, w * scale, 0.5 + 1e-6);
      ASSERT_NEAR(p.scaled_height, h * scale, 0.5 + 1e-6);

      const auto ids = time_ids(p);
      const auto mirrored = time_ids(p, BucketRule::equal_area, true);
      ASSERT_EQ(ids[3] + mirrored[3] + static_cast<float>(b.width),
                static_cast<float>(p.scaled_width));
      ASSERT_EQ(ids[2], mirrored[2]);
    }
  }
}

TEST(Buckets, TimeIdsAreTrueOrKohyas) {
  const Placement p = place_image({832, 1216}, 1000, 1500);
  EXPECT_EQ(p.scaled_width, 832);
  EXPECT_EQ(p.scaled_height, 1248);
  EXPECT_EQ(p.top, 16);
  EXPECT_EQ(time_ids(p), (std::array<float, 6>{1500, 1000, 16, 0, 1216, 832}));
  EXPECT_EQ(time_ids(p, BucketRule::kohya), (std::array<float, 6>{1500, 1000, 0, 10, 1216, 832}));
}

TEST(Buckets, KohyaChoosesByPlainDifference) {
  BucketOptions o;
  o.rule = BucketRule::kohya;
  const auto buckets = make_buckets(o);
  for (std::uint32_t i = 0; i < 2000; ++i) {
    const RandomKey key = random_key(4, RandomStream::shuffle, i);
    const double w = 1 + static_cast<double>(random_below(key, 3000, 0));
    const double h = 1 + static_cast<double>(random_below(key, 3000, 1));
    const Bucket b =
        buckets[choose_bucket(buckets, o.rule, static_cast<int>(w), static_cast<int>(h))];
    if (b.width == w && b.height == h) {
      continue;
    }
    for (const Bucket& c : buckets) {
      ASSERT_LE(std::abs(w / h - static_cast<double>(b.width) / b.height),
                std::abs(w / h - static_cast<double>(c.width) / c.height));
    }
  }
}

TEST(Buckets, KohyaAssignmentsAreThoseOfItsRule) {
  std::ifstream in(MANTISSA_TEST_DATA "/golden/buckets.txt");
  int lines = 0;
  int n[13];
  while (true) {
    for (int& number : n) {
      in >> number;
    }
    if (!in) {
      break;
    }
    ++lines;
    Preset preset;
    preset.data.bucket_rule = BucketRule::kohya;
    preset.data.resolution = n[0];
    preset.data.bucket_min = n[1];
    preset.data.bucket_max = n[2];
    // The model's own quantum may be finer; kohya's steps are 64.
    const auto buckets = make_buckets(bucket_options(preset, lines % 2 == 0 ? 64 : 16));
    const Bucket b = buckets[choose_bucket(buckets, BucketRule::kohya, n[3], n[4])];
    const Placement p = place_image(b, n[3], n[4]);
    const auto told = time_ids(p, BucketRule::kohya);
    const std::array<int, 8> found{b.width, b.height, p.scaled_width, p.scaled_height,
                                   p.left,  p.top,    int(told[3]),   int(told[2])};
    EXPECT_TRUE(std::equal(found.begin(), found.end(), n + 5))
        << "line " << lines << ": " << n[3] << "x" << n[4] << " at " << n[0] << " -> " << b.width
        << "x" << b.height << ", " << p.scaled_width << "x" << p.scaled_height << " cut at "
        << p.left << "," << p.top << ", told " << told[3] << "," << told[2];
  }
  EXPECT_EQ(lines, 140);
}

TEST(Buckets, KohyaLimitsMustHoldTheResolution) {
  Preset preset;
  preset.data.bucket_rule = BucketRule::kohya;
  preset.data.resolution = 128;
  EXPECT_THROW(make_buckets(bucket_options(preset, 64)), Error);
  preset.data.bucket_min = 64;
  EXPECT_FALSE(make_buckets(bucket_options(preset, 64)).empty());
  preset.data.bucket_max = 100;
  EXPECT_THROW(make_buckets(bucket_options(preset, 64)), Error);
  preset.data.buckets = false;  // the square alone has no limits
  EXPECT_EQ(make_buckets(bucket_options(preset, 64)), (std::vector<Bucket>{{128, 128}}));
}

TEST(Buckets, SizesCanBeLeftOut) {
  for (const BucketRule rule :
       {BucketRule::equal_area, BucketRule::kohya, BucketRule::onetrainer}) {
    Preset preset;
    preset.data.bucket_rule = rule;
    const auto all = make_buckets(bucket_options(preset, 64));
    const std::size_t chosen = choose_bucket(all, rule, 1000, 1500);
    preset.data.skip_buckets = {bucket_text(all[chosen])};
    const BucketOptions options = bucket_options(preset, 64);
    const auto rest = make_buckets(options);
    ASSERT_EQ(rest.size(), all.size() - 1);
    EXPECT_EQ(std::ranges::count(rest, all[chosen]), 0);
    // Another of nearly that shape.
    const Bucket next = rest[choose_bucket(rest, rule, 1000, 1500)];
    EXPECT_NEAR(double(next.height) / next.width, 1.5, 0.3) << bucket_text(next);
    EXPECT_TRUE(unknown_skips(options).empty());
    // Images elsewhere stay where they are.
    EXPECT_EQ(rest[choose_bucket(rest, rule, 1024, 1024)], (Bucket{1024, 1024}));
  }
}

TEST(Buckets, OneSizeMustStay) {
  Preset preset;
  preset.data.buckets = false;
  preset.data.resolution = 512;
  preset.data.skip_buckets = {"512x512"};
  try {
    make_buckets(bucket_options(preset, 64));
    FAIL() << "all sizes are left out";
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("data.skip_buckets leaves out every size"),
              std::string::npos);
  }
}

TEST(Buckets, LeavingOutASizeThatIsNotMadeIsAWarning) {
  Preset preset;
  preset.data.skip_buckets = {"1000x1000", "1024x1024", "100x90"};
  const BucketOptions options = bucket_options(preset, 64);
  EXPECT_EQ(unknown_skips(options), (std::vector<Bucket>{{100, 90}, {1000, 1000}}));
  const std::optional<Message> warning = skip_warning(options);
  ASSERT_TRUE(warning);
  EXPECT_NE(warning->text().find("100x90, 1000x1000"), std::string::npos) << warning->text();
  preset.data.skip_buckets = {"1024"};
  EXPECT_THROW(bucket_options(preset, 64), Error);
}

}  // namespace
}  // namespace mantissa
