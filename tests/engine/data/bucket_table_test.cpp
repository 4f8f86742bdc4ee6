// Several resolutions in one run: each image's sizes, and how often it is used at each.
#include "engine/data/bucket_table.h"

#include <gtest/gtest.h>
#include <map>

#include "engine/data/bucketed_images.h"
#include "engine/data/folder_rules.h"
#include "tests/engine/data/encoded_fixture.h"
#include "tests/test_util.h"

namespace mantissa {
namespace {

Preset preset_with(int resolution, std::vector<int> further) {
  Preset preset;
  preset.data.resolution = resolution;
  preset.data.further_resolutions = std::move(further);
  return preset;
}

ImageItem item_of(int width, int height, int resolution = 0) {
  ImageItem item;
  item.width = width;
  item.height = height;
  item.resolution = resolution;
  return item;
}

TEST(BucketTable, OneResolutionIsWhatItWas) {
  for (const BucketRule rule :
       {BucketRule::equal_area, BucketRule::kohya, BucketRule::onetrainer}) {
    Preset preset = preset_with(1024, {});
    preset.data.bucket_rule = rule;
    const BucketTable table(preset, 64);
    EXPECT_EQ(table.all(), make_buckets(bucket_options(preset, 64)));
    for (const auto& [w, h] : {std::pair{1024, 1024}, {3000, 2000}, {700, 2100}, {512, 400}}) {
      EXPECT_EQ(table.choose(item_of(w, h)), std::vector{choose_bucket(table.all(), rule, w, h)});
    }
  }
}

TEST(BucketTable, AnImageHasABucketOfEachResolution) {
  const Preset preset = preset_with(1024, {512, 768, 512});
  const BucketTable table(preset, 64);
  EXPECT_TRUE(std::ranges::is_sorted(table.all()));
  EXPECT_EQ(std::ranges::adjacent_find(table.all()), table.all().end());
  EXPECT_EQ(table.resolutions(item_of(10, 10)), (std::vector{1024, 512, 768}));
  for (const auto& [w, h] : {std::pair{2000, 2000}, {3000, 2000}, {900, 2100}}) {
    const std::vector<std::size_t> chosen = table.choose(item_of(w, h));
    ASSERT_EQ(chosen.size(), 3U);
    std::size_t k = 0;
    for (const int resolution : {1024, 512, 768}) {
      const auto own = make_buckets(bucket_options(preset_with(resolution, {}), 64));
      EXPECT_EQ(table.all()[chosen[k++]], own[choose_bucket(own, preset.data.bucket_rule, w, h)])
          << resolution;
    }
  }
}

TEST(BucketTable, AFoldersOwnCountsInPlaceOfAll) {
  Preset preset = preset_with(1024, {512});
  preset.data.folders = {{"small", 1, 1, "", 256}};
  const BucketTable table(preset, 64);
  const std::vector<std::size_t> chosen = table.choose(item_of(2000, 2000, 256));
  ASSERT_EQ(chosen.size(), 1U);
  EXPECT_EQ(table.all()[chosen[0]], (Bucket{256, 256}));
  EXPECT_EQ(table.choose(item_of(2000, 2000)).size(), 2U);
}

TEST(BucketTable, ASizeThatIsTooSmallIsNamed) {
  test::expect_error_with([] { BucketTable(preset_with(32, {1024}), 64); },
                          {"data.resolution gives 32 pixels"});
  test::expect_error_with([] { BucketTable(preset_with(1024, {32}), 64); },
                          {"data.further_resolutions gives 32 pixels"});
  Preset preset = preset_with(1024, {512});
  preset.data.folders = {{"small", 1, 1, "", 16}};
  test::expect_error_with([&] { BucketTable(preset, 64); }, {"data.folders gives 16 pixels"});
  preset = preset_with(512, {4096});
  preset.data.bucket_rule = BucketRule::kohya;
  test::expect_error_with([&] { BucketTable(preset, 64); },
                          {"data.further_resolutions (4096) <= data.bucket_max (2048)"});
}

TEST(BucketTable, EveryUseIsCountedOnce) {
  Preset preset = preset_with(256, {128});
  preset.data.folders = {{"one", 1, 1, "", 192}};
  const BucketTable table(preset, 64);
  const std::vector<ImageItem> items{item_of(300, 300), item_of(300, 300, 192), item_of(600, 300)};
  const std::vector<ImageUse> uses = image_uses(table, items);
  ASSERT_EQ(uses.size(), 5U);
  for (std::size_t i = 0; i < items.size(); ++i) {
    EXPECT_EQ(uses[i].item, i) << "the first resolution of each, in order";
  }
  EXPECT_EQ(uses[3].item, 0U);
  EXPECT_EQ(uses[4].item, 2U);
}

class Resolutions : public testing_support::EncodedFixture {
 protected:
  void SetUp() override {
    EncodedFixture::SetUp();
    image("a", "one", 1, 256, 256);
    image("b", "two", 2, 256, 128);
    image("c", "three", 3, 256, 256);
  }
};

TEST_F(Resolutions, AnEpochHasEachImageAtEachSizeAsOftenAsItsRepeats) {
  preset_.data.resolution = 128;
  preset_.data.further_resolutions = {64};
  preset_.data.repeats = 2;
  const auto data = scanned();
  const BucketedImages& images = data->images();
  EXPECT_EQ(images.loader().batches_per_epoch(), 3 * 2 * 2);
  std::map<std::pair<std::size_t, Bucket>, int> seen;
  for (std::int64_t step = 0; step < images.loader().batches_per_epoch(); ++step) {
    const BatchPlan plan = images.plan(step);
    for (const std::size_t item : plan.items) {
      ++seen[{item, images.bucket(plan.bucket)}];
    }
  }
  EXPECT_EQ(seen.size(), 6U);
  for (const auto& [use, times] : seen) {
    EXPECT_EQ(times, 2) << use.first << " at " << bucket_text(use.second);
    const auto sizes = images.sizes(images.item(use.first));
    EXPECT_NE(std::ranges::find(sizes, use.second), sizes.end());
  }
  EXPECT_NE(images.bucket_report().find("at 64 px: 3 images\nat 128 px: 3 images\n"),
            std::string::npos)
      << images.bucket_report();
}

TEST_F(Resolutions, PriorImagesAreAsManyAsTheOthers) {
  Dataset data;
  data.items = {item_of(200, 200), item_of(200, 200, 64), item_of(200, 200)};
  data.items[2].prior = true;
  data.report.prior = 1;
  Preset preset = preset_with(128, {64});
  preset.data.folders = {{"x", 1, 1, "", 64}};
  const BucketTable table(preset, 64);
  std::vector<std::size_t> items;
  for (const ImageUse& use : image_uses(table, data.items)) {
    items.push_back(use.item);
  }
  const std::vector<int> repeats = use_repeats(data, preset, items);
  int own = 0, prior = 0;
  for (std::size_t i = 0; i < items.size(); ++i) {
    (data.items[items[i]].prior ? prior : own) += repeats[i];
  }
  EXPECT_EQ(own, 3);
  EXPECT_EQ(prior, own);
}

TEST_F(Resolutions, LatentsAreThoseOfEachSizeAlone) {
  const auto at = [&](int resolution, std::vector<int> further) {
    preset_.data.resolution = resolution;
    preset_.data.further_resolutions = std::move(further);
    return encoded();
  };
  const auto small = at(64, {}), large = at(128, {}), both = at(128, {64});
  for (std::size_t i = 0; i < 3; ++i) {
    const ImageItem& item = both->images().item(i);
    const std::vector<Bucket> sizes = both->images().sizes(item);
    ASSERT_EQ(sizes.size(), 2U);
    const EncodedDataset* alone[] = {large.get(), small.get()};
    for (std::size_t k = 0; k < 2; ++k) {
      const ImageVersion version = both->images().version(item, sizes[k], 0);
      const ImageItem& same = alone[k]->images().item(i);
      EXPECT_EQ(
          both->latents(item, version, false).mean.data,
          alone[k]
              ->latents(same,
                        alone[k]->images().version(same, alone[k]->images().sizes(same)[0], 0),
                        false)
              .mean.data);
    }
  }
}

TEST_F(Resolutions, ImagesInMemoryAreThoseOfTheirSize) {
  preset_.training.method = TrainingMethod::full;
  preset_.training.parts = {kVae};
  preset_.data.resolution = 128;
  preset_.data.further_resolutions = {64};
  const auto data = encoded();
  for (const Bucket& size : data->images().sizes(data->images().item(0))) {
    const Image image = data->image(0, size, 0);
    EXPECT_EQ(image.width, size.width);
    EXPECT_EQ(image.height, size.height);
  }
}

TEST(FolderResolution, ComesFromTheNearestRule) {
  std::vector<ImageItem> items(2);
  items[0].path = "/x/small/a.png";
  items[0].name = "small/a.png";
  items[1].path = "/x/b.png";
  items[1].name = "b.png";
  apply_folder_rules(items, {{"small", 0, 1, "", 512}});
  EXPECT_EQ(items[0].resolution, 512);
  EXPECT_EQ(items[1].resolution, 0);
  Preset::Data data;
  count_folders_again(items, data);
  EXPECT_EQ(items[0].resolution, 0);
}

}  // namespace
}  // namespace mantissa
