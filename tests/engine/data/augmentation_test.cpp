// Versions of images: their draws, their place in a bucket, and what a data set encodes of them.
#include "engine/data/augmentation.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <map>
#include <numbers>
#include <set>

#include "engine/core/random.h"
#include "engine/data/batch_source.h"
#include "engine/data/image_cut.h"
#include "engine/data/masks.h"
#include "engine/diffusion/model_objective.h"
#include "tests/engine/data/encoded_fixture.h"

namespace mantissa {
namespace {

namespace fs = std::filesystem;

Preset all_amounts() {
  Preset preset;
  preset.data.variants = 4;
  preset.data.crop_jitter = 0.2;
  preset.data.rotation = 15;
  preset.data.brightness = 0.1;
  preset.data.contrast = 0.2;
  preset.data.saturation = 0.3;
  preset.data.hue = 0.05;
  return preset;
}

/// 64 hex digits.
std::string content(std::uint64_t number) {
  std::string digits(64, '0');
  for (std::size_t i = 0; i < 16; ++i) {
    digits[i] = "0123456789abcdef"[(number >> (60 - 4 * i)) & 15];
  }
  return digits;
}

std::vector<std::int64_t> numbers(const Augmentation& a) {
  const auto position = a.framing.position.value_or(std::array<std::uint32_t, 2>{});
  return {a.framing.zoom,     position[0],      position[1],        a.framing.angle,
          a.color.brightness, a.color.contrast, a.color.saturation, a.color.hue};
}

TEST(Augmentations, AreAPureFunctionOfSeedContentAndNumber) {
  const Preset preset = all_amounts();
  Preset reseeded = preset;
  reseeded.training.seed = 43;
  const auto one = numbers(draw_augmentation(preset, content(77), 2));
  EXPECT_EQ(numbers(draw_augmentation(preset, content(77), 2)), one);
  for (const auto& other :
       {draw_augmentation(preset, content(77), 3), draw_augmentation(preset, content(78), 2),
        draw_augmentation(preset, content(77 + (1ULL << 40)), 2),
        draw_augmentation(reseeded, content(77), 2)}) {
    const auto drawn = numbers(other);
    for (std::size_t i = 0; i < drawn.size(); ++i) {
      EXPECT_NE(drawn[i], one[i]) << "number " << i;
    }
  }
}

TEST(Augmentations, StayWithinTheirAmountsAndReachThem) {
  const Preset preset = all_amounts();
  const std::vector<std::pair<std::int64_t, std::int64_t>> allowed{
      {0, 2000},     {0, 0xffffffff}, {0, 0xffffffff}, {-1500, 1500},
      {-1000, 1000}, {-2000, 2000},   {-3000, 3000},   {-500, 500}};
  std::vector<std::int64_t> least(8, INT64_MAX), most(8, INT64_MIN);
  std::vector<double> sum(8);
  constexpr int kImages = 2000;
  for (int i = 0; i < kImages; ++i) {
    const auto drawn = numbers(draw_augmentation(
        preset, content(0x9e3779b97f4a7c15ULL * static_cast<unsigned>(i)), i % 4));
    for (std::size_t k = 0; k < 8; ++k) {
      least[k] = std::min(least[k], drawn[k]);
      most[k] = std::max(most[k], drawn[k]);
      sum[k] += static_cast<double>(drawn[k]);
    }
  }
  for (std::size_t k = 0; k < 8; ++k) {
    SCOPED_TRACE(k);
    const auto [low, high] = allowed[k];
    const double range = static_cast<double>(high - low);
    EXPECT_GE(least[k], low);
    EXPECT_LE(most[k], high);
    EXPECT_LT(static_cast<double>(least[k] - low), 0.01 * range);
    EXPECT_LT(static_cast<double>(high - most[k]), 0.01 * range);
    // The mean of a uniform draw, to five of its deviations.
    EXPECT_NEAR(sum[k] / kImages, static_cast<double>(low + high) / 2,
                5 * range / std::sqrt(12.0 * kImages));
  }
}

TEST(Augmentations, OneAmountLeavesTheOthersDraws) {
  const Preset preset = all_amounts();
  Preset without = preset;
  without.data.rotation = 0;
  const auto all = numbers(draw_augmentation(preset, content(5), 1));
  auto fewer = numbers(draw_augmentation(without, content(5), 1));
  EXPECT_EQ(fewer[3], 0);
  fewer[3] = all[3];
  EXPECT_EQ(fewer, all);
}

TEST(Augmentations, WithoutAmountsAnImageIsAsItWas) {
  Preset preset;
  preset.data.variants = 8;
  EXPECT_EQ(variant_count(preset.data), 1);
  ImageItem item;
  item.width = 700;
  item.height = 500;
  item.content_hash = content(9);
  const ImageVersion version = image_version(preset, {512, 512}, item, 0);
  const Placement plain = place_image({512, 512}, 700, 500);
  EXPECT_EQ(version.color, ColorChange{});
  EXPECT_EQ(cache_key(LatentKey{"x", version.placement, false, "vae", version.color}),
            cache_key(LatentKey{"x", plain, false, "vae"}));
  preset.data.hue = 0.1;
  EXPECT_EQ(variant_count(preset.data), 8);
}

// No corner of the crop may lie outside the image, at any angle, aspect, zoom and position.
TEST(Augmentations, TheTurnedCropLiesInsideTheImage) {
  for (std::uint32_t i = 0; i < 20'000; ++i) {
    const RandomKey key = random_key(6, RandomStream::shuffle, i);
    const auto below = [&](std::uint64_t n, std::uint32_t block) {
      return static_cast<int>(random_below(key, n, block));
    };
    const Bucket bucket{64 * (1 + below(32, 0)), 64 * (1 + below(32, 1))};
    const int width = 8 + below(4000, 2), height = 8 + below(4000, 3);
    Framing framing;
    framing.zoom = i % 3 == 0 ? 0 : below(5001, 4);
    framing.angle = i % 5 == 0 ? 0 : below(9001, 5) - 4500;
    if (i % 2 == 0) {
      const bool end = i % 4 == 0;
      framing.position = {end ? 0xffffffffU : static_cast<std::uint32_t>(below(1U << 31, 6)),
                          end ? 0U : static_cast<std::uint32_t>(below(1U << 31, 7))};
    }
    const Placement p = place_image(bucket, width, height, framing);
    SCOPED_TRACE(testing::Message() << bucket.width << "x" << bucket.height << " of " << width
                                    << "x" << height << " at " << framing.angle);
    ASSERT_GE(p.left, 0);
    ASSERT_GE(p.top, 0);
    ASSERT_LE(p.left + bucket.width, p.scaled_width);
    ASSERT_LE(p.top + bucket.height, p.scaled_height);
    const double a = p.angle / 100.0 * std::numbers::pi / 180;
    const double x = p.left + bucket.width / 2.0, y = p.top + bucket.height / 2.0;
    for (const double across : {-bucket.width / 2.0, bucket.width / 2.0}) {
      for (const double down : {-bucket.height / 2.0, bucket.height / 2.0}) {
        const double u = x + across * std::cos(a) - down * std::sin(a);
        const double v = y + across * std::sin(a) + down * std::cos(a);
        ASSERT_GE(u, -1e-6);
        ASSERT_GE(v, -1e-6);
        ASSERT_LE(u, p.scaled_width + 1e-6);
        ASSERT_LE(v, p.scaled_height + 1e-6);
      }
    }
    // No larger than the angle and the zoom ask for: one side fits, to two pixels.
    const double box_width = std::max<double>(
        bucket.width, bucket.width * std::cos(a) + bucket.height * std::abs(std::sin(a)));
    const double box_height = std::max<double>(
        bucket.height, bucket.height * std::cos(a) + bucket.width * std::abs(std::sin(a)));
    const double zoom = 1 + framing.zoom / 10'000.0;
    ASSERT_TRUE(p.scaled_width <= (box_width + 2) * zoom + 1 ||
                p.scaled_height <= (box_height + 2) * zoom + 1);
  }
}

TEST(Augmentations, ACropLiesAnywhereAndIsToldToTheModel) {
  const auto crop = [](std::uint32_t x, std::uint32_t y) {
    return place_image({64, 64}, 200, 100, {.zoom = 5000, .position = {{x, y}}});
  };
  EXPECT_EQ(crop(0, 0).scaled_width, 192);
  EXPECT_EQ(crop(0, 0).scaled_height, 96);
  EXPECT_EQ(crop(0, 0).left, 0);
  EXPECT_EQ(crop(0, 0).top, 0);
  EXPECT_EQ(crop(0xffffffff, 0).left, 128);
  EXPECT_EQ(crop(0, 0xffffffff).top, 32);
  const Placement p = crop(0x40000000, 0x80000000);
  EXPECT_EQ(p.left, 129 / 4);
  EXPECT_EQ(p.top, 33 / 2);
  EXPECT_EQ(time_ids(p), (std::array<float, 6>{100, 200, 16, 32, 64, 64}));
  EXPECT_EQ(time_ids(p, BucketRule::equal_area, true),
            (std::array<float, 6>{100, 200, 16, 128 - 32, 64, 64}));
}

TEST(Augmentations, KeysTellEachChangeApartAndLeaveOldOnes) {
  LatentKey base;
  base.content_hash = "abc";
  base.placement = {100, 200, 64, 128, 0, 32, {64, 64}};
  base.fingerprint = "vae";
  MaskKey mask{"abc", MaskMode::files, base.placement, 8};
  // SHA-256 of the fields as caches of earlier versions have them.
  EXPECT_EQ(cache_key(base), "de6c24f01afd20425a479a5fc8c7fa4e578c4e025c3975d03a4d2f1d842cc544");
  EXPECT_EQ(cache_key(mask), "f7066baa324acee11f6d1e20558f6801a81b71c5771444b003b265cabe7dec59");
  std::set<std::string> keys{cache_key(base)};
  const auto add = [&](auto&& change) {
    LatentKey k = base;
    change(k);
    keys.insert(cache_key(k));
  };
  add([](LatentKey& k) { k.placement.angle = 10; });
  add([](LatentKey& k) { k.placement.angle = -10; });
  add([](LatentKey& k) { k.color.brightness = 10; });
  add([](LatentKey& k) { k.color.contrast = 10; });
  add([](LatentKey& k) { k.color.saturation = 10; });
  add([](LatentKey& k) { k.color.hue = 10; });
  EXPECT_EQ(keys.size(), 7u);
  mask.placement.angle = 10;
  EXPECT_NE(cache_key(mask), "f7066baa324acee11f6d1e20558f6801a81b71c5771444b003b265cabe7dec59");
}

class Versions : public testing_support::EncodedFixture {
 protected:
  void SetUp() override {
    EncodedFixture::SetUp();
    const Preset amounts = all_amounts();
    const std::int64_t seed = preset_.training.seed;
    preset_.data.variants = 3;
    preset_.data.crop_jitter = amounts.data.crop_jitter;
    preset_.data.rotation = amounts.data.rotation;
    preset_.data.brightness = 0.3;
    preset_.training.seed = seed;
  }
  /// Entries of the cache on disk.
  std::size_t entries() const {
    std::size_t count = 0;
    for (const auto& entry : fs::recursive_directory_iterator(home_ / "cache")) {
      count += entry.path().extension() == ".safetensors" ? 1 : 0;
    }
    return count;
  }
};

TEST_F(Versions, AreEachCachedOnceMirroredOrNot) {
  image("a", "a square", 1, 90, 64);
  image("b", "another", 2, 64, 80);
  preset_.data.cache = CacheMode::latents;
  preset_.data.flip = true;
  encoded();
  EXPECT_EQ(entries(), 2U * 3 * 2);
  for (const auto look : {EncodedDataset::Look::headers, EncodedDataset::Look::whole}) {
    EXPECT_EQ(scanned()->missing(*model_, look, {}).width, 0);
  }
  int made = 0;
  scanned()->encode(*kernels_, *model_, [&](RunPhase phase, std::int64_t, std::int64_t) {
    made += phase == RunPhase::caching ? 1 : 0;
  });
  EXPECT_EQ(made, 0);
  preset_.data.variants = 4;
  EXPECT_GT(scanned()->missing(*model_, EncodedDataset::Look::headers, {}).width, 0);
  encoded();
  EXPECT_EQ(entries(), 2U * 4 * 2) << "the first three stay";
  preset_.data.brightness = 0;
  preset_.data.crop_jitter = 0;
  preset_.data.rotation = 0;
  encoded();
  EXPECT_EQ(entries(), 2U * 5 * 2) << "one version, as it is";
}

TEST_F(Versions, ThatAreEqualAreEncodedOnce) {
  image("a", "a square", 1);
  preset_.data.cache = CacheMode::latents;
  preset_.data.variants = 8;
  preset_.data.crop_jitter = preset_.data.rotation = 0;
  preset_.data.brightness = 0.00005;  // a step of a ten-thousandth: -1, 0 or 1
  int made = 0;
  scanned()->encode(*kernels_, *model_, [&](RunPhase phase, std::int64_t done, std::int64_t total) {
    made = phase == RunPhase::caching ? static_cast<int>(done) : made;
    EXPECT_TRUE(phase != RunPhase::caching || total <= 3) << total;
  });
  EXPECT_LE(made, 3);
  EXPECT_EQ(entries(), static_cast<std::size_t>(made));
}

TEST_F(Versions, AreTrainedOnWithTheirCrops) {
  image("a", "a square", 1, 90, 64);
  preset_.data.flip = true;
  const auto data = encoded();
  BatchSource source(*data, model_objective(source_, preset_), *kernels_);
  std::set<std::vector<float>> crops;
  for (int step = 0; step < 12; ++step) {
    const BatchPlan plan = data->images().loader().plan(step);
    const ImageItem& item = data->images().item(0);
    const ImageVersion version =
        data->images().version(item, data->images().bucket(plan.bucket), plan.variant[0]);
    const auto ids = time_ids(version.placement, BucketRule::equal_area, plan.flip[0]);
    const StepInputs in = source.inputs(step);
    EXPECT_EQ(in.time_ids, std::vector<float>(ids.begin(), ids.end())) << step;
    crops.insert(in.time_ids);
    Image cut = cut_image(item.path, version);
    if (plan.flip[0]) {
      mirror(cut);
    }
    LatentEncoder encoder(*kernels_, *model_);
    EXPECT_EQ(data->latents(item, version, plan.flip[0]).mean.data, encoder.encode(cut).mean.data);
  }
  EXPECT_GE(crops.size(), 3u);
}

TEST_F(Versions, OfAnImageThatCannotBeReadAreRejectedTogether) {
  image("a", "a square", 1);
  const fs::path cut = image("b", "cut off", 2);
  fs::resize_file(cut, fs::file_size(cut) / 2);
  const auto data = encoded();
  EXPECT_EQ(data->images().count(), 1u);
  EXPECT_EQ(data->images().dataset().report.skipped.size(), 1u);
}

TEST_F(Versions, ValidationImagesHaveNone) {
  for (unsigned i = 0; i < 12; ++i) {
    image("image" + std::to_string(i), "words", i, 80, 64);
  }
  preset_.data.validation_share = 0.4;
  const auto data = encoded();
  ASSERT_FALSE(data->images().validation().empty());
  const ImageItem& held = data->images().validation()[0];
  const Placement plain = place_image({64, 64}, 80, 64);
  BatchSource source(*data, model_objective(source_, preset_), *kernels_);
  const auto ids = time_ids(plain);
  EXPECT_EQ(source.validation_inputs(0, 0).time_ids, std::vector<float>(ids.begin(), ids.end()));
  LatentEncoder encoder(*kernels_, *model_);
  EXPECT_EQ(data->latents(held, {plain}, false).mean.data,
            encoder.encode(cut_image(held.path, {plain})).mean.data);
}

// A mask that is the image: both must be cut alike, and colours must not touch the mask.
TEST_F(Versions, MasksMoveWithTheirImages) {
  const fs::path path = image("a", "a square", 1, 96, 80);
  fs::copy_file(path, home_ / "images" / "a-masklabel.png");
  preset_.data.masks = MaskMode::files;
  const auto data = encoded();
  const ImageItem& item = data->images().item(0);
  std::set<std::vector<float>> masks;
  for (int variant = 0; variant < 3; ++variant) {
    const ImageVersion version =
        data->images().version(item, data->images().sizes(item)[0], variant);
    EXPECT_NE(version.placement.angle, 0);
    const Image cut = cut_image(path, {version.placement});
    const HostTensor mask = data->mask(item, version);
    const auto factor = static_cast<std::size_t>(64 / mask.shape[1]);
    for (std::size_t i = 0; i < mask.data.size(); ++i) {
      const std::size_t columns = 64 / factor, x = i % columns * factor, y = i / columns * factor;
      double sum = 0;
      for (std::size_t at = 0; at < factor * factor * 3; ++at) {
        const std::size_t row = y + at / (3 * factor);
        sum += cut.pixels[3 * (row * 64 + x) + at % (3 * factor)];
      }
      ASSERT_NEAR(mask.data[i], sum / static_cast<double>(255 * 3 * factor * factor), 1e-6);
    }
    masks.insert(mask.data);
  }
  EXPECT_EQ(masks.size(), 3u);
}

TEST_F(Versions, AreReadByAnAutoencoderToo) {
  image("a", "a square", 1, 90, 64);
  preset_.training.method = TrainingMethod::full;
  preset_.training.parts = {kVae};
  const auto data = encoded();
  BatchSource source(*data, model_objective(source_, preset_), *kernels_);
  std::set<std::vector<float>> seen;
  for (int step = 0; step < 3; ++step) {
    const BatchPlan plan = data->images().loader().plan(step);
    const ImageItem& item = data->images().item(0);
    const std::vector<float> images = source.inputs(step).images;
    EXPECT_EQ(images, to_float(cut_image(item.path, data->images().version(
                                                        item, data->images().bucket(plan.bucket),
                                                        plan.variant[0]))));
    seen.insert(images);
  }
  EXPECT_EQ(seen.size(), 3u);
  EXPECT_EQ(data->plain_image(0).pixels,
            cut_image(data->images().item(0).path, {place_image({64, 64}, 90, 64)}).pixels);
}

}  // namespace
}  // namespace mantissa
