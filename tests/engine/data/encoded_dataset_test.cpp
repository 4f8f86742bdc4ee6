// What must be encoded of a data set, the handling of images that can't be, and reading back.
#include "engine/data/encoded_dataset.h"

#include <gtest/gtest.h>

#include "engine/core/error.h"
#include "engine/core/paths.h"
#include "engine/io/content_hashes.h"
#include "engine/io/input_file.h"
#include "engine/io/safetensors.h"
#include "engine/programs/encoding_fingerprint.h"
#include "tests/engine/data/encoded_fixture.h"
#include "tests/test_util.h"

namespace mantissa {
namespace {

namespace fs = std::filesystem;

class EncodedDatasets : public testing_support::EncodedFixture {
 protected:
  EncodeWork missing(EncodedDataset::Look look = EncodedDataset::Look::headers) {
    return scanned()->missing(*model_, look, {});
  }
};

TEST_F(EncodedDatasets, WhatIsCachedIsNotMissing) {
  image("a", "a square", 1);
  image("b", "wide", 2, 128, 32);
  preset_.data.cache = CacheMode::all;
  const EncodeWork before = missing();
  EXPECT_GT(before.width * before.height, 0);
  EXPECT_TRUE(before.texts);
  encoded();
  for (const auto look : {EncodedDataset::Look::headers, EncodedDataset::Look::whole}) {
    const EncodeWork after = missing(look);
    EXPECT_EQ(after.width, 0);
    EXPECT_FALSE(after.texts);
  }
  preset_.data.flip = true;
  EXPECT_GT(missing().width, 0) << "mirrored latents were never made";
}

/// One image may take minutes on a CPU: a cancelled encoding ends between two ops.
TEST_F(EncodedDatasets, AnEncodingEndsWithinAnImage) {
  image("a", "a square", 1);
  preset_.data.cache = CacheMode::latents;
  for (const RunPhase wanted : {RunPhase::caching, RunPhase::caching_text}) {
    int asked = 0;
    const auto cancel = [&](RunPhase phase, std::int64_t done, std::int64_t total) {
      if (phase == wanted && done < total) {
        EXPECT_EQ(done, 0);
        ++asked;
        if (phase == RunPhase::caching_text || asked == 2) {  // once it has begun
          throw Error(ErrorKind::interrupted, Message::verbatim("cancelled"));
        }
      }
    };
    EXPECT_THROW(scanned()->encode(*kernels_, *model_, cancel), Error);
    EXPECT_GT(asked, 0);
    EXPECT_EQ(missing().width > 0, wanted == RunPhase::caching) << "the image was not finished";
  }
}

TEST_F(EncodedDatasets, TextsAreCachedOnDiskOnlyWhereAskedFor) {
  image("a", "a square", 1);
  preset_.data.cache = CacheMode::latents;
  const auto data = encoded();
  EXPECT_FALSE(data->text("a square").empty()) << "kept in memory";
  EXPECT_EQ(missing().width, 0);
  EXPECT_TRUE(missing().texts);
}

TEST_F(EncodedDatasets, TextsReadInBf16AreCachedInBf16) {
  image("a", "a square", 1);
  image("b", "a square", 2);
  image("c", "another", 3);
  const auto model =
      DiffusionModel::open(*kernels_, source_, nullptr, PrecisionRules::uniform(DType::bf16));
  const auto encoded_by = [&](CacheMode mode) {
    preset_.data.cache = mode;
    auto data = scanned();
    data->encode(*kernels_, *model, {});
    return data;
  };
  const auto in_memory = encoded_by(CacheMode::none);
  preset_.data.cache = CacheMode::all;
  const std::uint64_t planned =
      scanned()->missing(*model, EncodedDataset::Look::headers, {}).cache_bytes;
  const auto on_disk = encoded_by(CacheMode::all);
  for (const char* caption : {"a square", "another"}) {
    const TextEncoding expected = in_memory->text(caption), cached = on_disk->text(caption);
    for (const auto& [name, tensor] : expected) {
      ASSERT_EQ(cached.at(name).data.size(), tensor.data.size());
      for (std::size_t i = 0; i < tensor.data.size(); ++i) {
        ASSERT_EQ(cached.at(name).data[i], float(bfloat16(tensor.data[i]))) << name;
      }
    }
  }
  std::uint64_t bytes = 0;
  int texts = 0;
  for (const auto& file : fs::recursive_directory_iterator(home_ / "cache/tensors")) {
    if (!file.is_regular_file()) {
      continue;
    }
    const SafetensorsFile entry = SafetensorsFile::open(file.path());
    for (const TensorInfo& tensor : entry.tensors()) {
      bytes += tensor.bytes;
    }
    if (entry.metadata().at("kind") == "text") {
      ++texts;
      EXPECT_EQ(entry.find("context")->type, DType::bf16);
      EXPECT_EQ(entry.metadata().at("base"), path_to_utf8(source_.path()));
    }
  }
  EXPECT_EQ(texts, 2) << "one of each caption";
  EXPECT_EQ(bytes, planned);
}

TEST_F(EncodedDatasets, TextsOfTheOlderFormAreUsed) {
  image("a", "a square", 1);
  const auto model =
      DiffusionModel::open(*kernels_, source_, nullptr, PrecisionRules::uniform(DType::bf16));
  const auto data = scanned();
  data->encode(*kernels_, *model, {});
  const TextEncoding fp32 = data->text("a square");  // kept in memory as it is
  const std::string key =
      cache_key(TextKey{"a square", text_fingerprint(*model, ContentHashes::shared())});
  TensorCache(home_ / "cache/tensors").put(key, "a", fp32);
  preset_.data.cache = CacheMode::all;
  const auto cached = scanned();
  EXPECT_FALSE(cached->missing(*model, EncodedDataset::Look::whole, {}).texts);
  EXPECT_EQ(cached->text("a square").at("context").data, fp32.at("context").data);
}

TEST_F(EncodedDatasets, CaptionsBeyondTheEncodersReachAreNamed) {
  std::string longest;
  for (int i = 0; i < 75; ++i) {
    longest += "a ";
  }
  image("fits", longest, 1);
  image("cut", longest + "b", 2);
  preset_.samples.prompts = {{.prompt = longest + "c d"}};
  const auto cut = [&] {
    std::string all;
    const auto data = scanned();
    model_->set_text_options(TextOptions::of(preset_));
    data->find_cut_texts(*model_);
    for (const DataFinding& finding : data->images().dataset().report.findings) {
      all += finding.kind == DataFindingKind::cut_caption ? summary(finding).text() : "";
    }
    return all;
  };
  EXPECT_EQ(cut(),
            "captions and prompts longer than the text encoder reads, cut at its limit (2): "
            "cut.png (76 tokens, of which te1 reads 75), samples.prompts[0] (77 tokens, of which "
            "te1 reads 75). Shorten them, or raise data.caption_chunks");
  preset_.data.caption_chunks = 2;
  EXPECT_EQ(cut(), "");
}

TEST_F(EncodedDatasets, AnImageThatCannotBeDecodedIsRejectedByName) {
  image("a", "a square", 1);
  const fs::path cut = image("b", "cut off", 2);
  fs::resize_file(cut, fs::file_size(cut) / 2);
  const auto data = scanned();
  ASSERT_EQ(data->images().count(), 2u);
  data->encode(*kernels_, *model_, {});
  EXPECT_EQ(data->images().count(), 1u);
  EXPECT_EQ(data->images().loader().batches_per_epoch(), 1);
  const DatasetReport& report = data->images().dataset().report;
  EXPECT_EQ(report.images, 1);
  ASSERT_EQ(report.skipped.size(), 1u);
  EXPECT_EQ(report.skipped[0].path, cut);
  EXPECT_EQ(report.skipped[0].kind, SkipKind::damaged);
  EXPECT_NE(notices_.find("skipped: "), std::string::npos) << notices_;
  EXPECT_FALSE(data->has_text("cut off"));
}

TEST_F(EncodedDatasets, WhatTheScanToldOfAnImageIsNotToldAgain) {
  const fs::path images = fs::path(MANTISSA_SOURCE_DIR) / "tests/golden/images";
  fs::copy_file(images / "animated.gif", home_ / "images" / "a.gif");
  fs::copy_file(images / "broken_profile.jpg", home_ / "images" / "b.jpg");
  const auto data = scanned();
  const std::vector<Message>& told = data->images().dataset().report.notices;
  ASSERT_FALSE(told.empty());
  EXPECT_NE(told[0].text().find("a.gif: only the first of its "), std::string::npos) << told[0];
  data->encode(*kernels_, *model_, {});
  EXPECT_EQ(notices_.find("a.gif: "), std::string::npos) << notices_;
  EXPECT_NE(notices_.find("b.jpg: its colour profile"), std::string::npos) << "found by decoding";
}

TEST_F(EncodedDatasets, NothingLeftIsAnError) {
  const fs::path cut = image("b", "cut off", 2);
  fs::resize_file(cut, fs::file_size(cut) / 2);
  test::expect_error_with([this] { encoded(); }, {"no image could be read. The first: ", "b"});
}

TEST_F(EncodedDatasets, AnotherPresetIsPlannedWithoutAScan) {
  image("a", "a square", 1);
  image("b", "another", 2, 128, 128);
  const auto data = scanned();
  fs::remove_all(home_ / "images");
  Preset wider = preset_;
  wider.data.resolution = 128;
  wider.data.batch_size = 2;
  EncodedDataset other = data->with_preset(wider);
  EXPECT_EQ(other.images().dataset().items.size(), 2u);
  EXPECT_EQ(other.images().shapes(77, 8), (std::vector<StepShape>{{2, 16, 16, 77}}));
  EXPECT_EQ(data->images().shapes(77, 8), (std::vector<StepShape>{{1, 8, 8, 77}}));
  EXPECT_EQ(other.missing(*model_, EncodedDataset::Look::headers, {}).width, 128);
  EXPECT_TRUE(notices_.empty()) << notices_;
}

TEST_F(EncodedDatasets, CaptionsThatAreShuffledAreNotEncodedBefore) {
  image("a", "one, two, three", 1);
  image("b", "alone", 2);
  preset_.data.shuffle_captions = true;
  preset_.data.caption_dropout = 0.5;
  const auto data = encoded();
  EXPECT_FALSE(data->has_text("one, two, three"));
  EXPECT_TRUE(data->has_text("alone"));
  EXPECT_TRUE(data->has_text(""));
}

TEST_F(EncodedDatasets, WithTextTrainingCaptionsBecomeTokens) {
  image("a", "a square", 1);
  preset_.training.parts = model_->text_parts();
  preset_.training.parts.insert(preset_.training.parts.begin(), kDenoiser);
  const auto data = encoded();
  EXPECT_NE(data->tokens("a square"), nullptr);
  EXPECT_EQ(data->tokens("another"), nullptr);
  EXPECT_FALSE(data->has_text("a square"));
}

TEST_F(EncodedDatasets, AnImageChangedSinceItWasFoundIsNoDamagedOne) {
  image("a", "a square", 1);
  const fs::path other = image("b", "another", 2);
  preset_.data.cache = CacheMode::all;
  const auto data = scanned();
  image("b", "another", 3);
  test::expect_error_with([&] { data->encode(*kernels_, *model_, {}); }, {path_to_utf8(other)});
  EXPECT_THROW(scanned()->encode(*kernels_, *model_,
                                 [&](RunPhase phase, auto, auto) {
                                   if (phase == RunPhase::scanning) {
                                     fs::remove(other);
                                   }
                                 }),
               InputChanged);
  image("b", "another", 2);
  const auto fresh = scanned();
  EXPECT_GT(fresh->missing(*model_, EncodedDataset::Look::whole, {}).width, 0)
      << "the changed image's encoding was kept as the other one's";
}

TEST_F(EncodedDatasets, AMaskChangedSinceItWasFoundIsNoticed) {
  image("a", "a square", 1);
  const fs::path mask = image("a-masklabel", "", 2);
  fs::remove(home_ / "images/a-masklabel.txt");
  preset_.data.masks = MaskMode::files;
  const auto data = scanned();
  image("a-masklabel", "", 3);
  fs::remove(home_ / "images/a-masklabel.txt");
  test::expect_error_with([&] { data->encode(*kernels_, *model_, {}); }, {path_to_utf8(mask)});
}

TEST_F(EncodedDatasets, ABlackMaskIsToldByARunAndByACheck) {
  image("a", "a square", 1);
  image("b", "a square", 2);
  for (const auto& [name, shade] : {std::pair{"a", 0}, std::pair{"b", 1}}) {
    const std::vector<std::uint8_t> pixels(3 * 64 * 64, static_cast<std::uint8_t>(shade));
    write_png(home_ / "images" / (std::string(name) + "-masklabel.png"), pixels, 64, 64);
  }
  preset_.data.masks = MaskMode::files;
  const auto told = [this] {
    const bool first = notices_.find("a.png: its mask is black") != std::string::npos;
    const bool second = notices_.find("b.png: its mask is black") != std::string::npos;
    notices_.clear();
    return std::pair(first, second);
  };
  scanned()->decode(*model_, {});
  EXPECT_EQ(told(), std::pair(true, false)) << "a check, which encodes nothing";
  encoded();
  EXPECT_EQ(told(), std::pair(true, false));
}

TEST_F(EncodedDatasets, AnImageThatIsReadLiveIsTheOneThatWasFound) {
  image("a", "a square", 1);
  preset_.training.method = TrainingMethod::full;
  preset_.training.parts = {kVae};
  preset_.data.rotation = 5;
  const auto data = encoded();
  image("a", "a square", 2);
  const Bucket size = data->images().sizes(data->images().item(0))[0];
  EXPECT_NO_THROW(data->image(0, size, 0)) << "it is in memory";
  EXPECT_THROW(data->image(0, size, 1), InputChanged);
}

#ifndef _WIN32  // where nobody can change an open file
TEST_F(EncodedDatasets, NothingIsCachedOfAModelThatHasChanged) {
  const fs::path base = home_ / "base.safetensors";
  fs::copy_file(source_.path(), base);
  const WeightSource copy = WeightSource::open(base);
  const auto model =
      DiffusionModel::open(*kernels_, copy, nullptr, PrecisionRules::uniform(DType::f32));
  image("a", "a square", 1);
  image("b", "another", 2);
  preset_.data.cache = CacheMode::all;
  const auto rewrite = [&](RunPhase phase, std::int64_t done, std::int64_t) {
    if (phase == RunPhase::caching && done == 1) {
      const auto time = fs::last_write_time(base);
      std::fstream(base, std::ios::in | std::ios::out | std::ios::binary) << "x";
      fs::last_write_time(base, time);
    }
  };
  test::expect_error_with([&] { scanned()->encode(*kernels_, *model, rewrite); },
                          {path_to_utf8(base)});
  EXPECT_GT(missing(EncodedDataset::Look::whole).width, 0);
  EXPECT_TRUE(missing(EncodedDataset::Look::whole).texts);
}
#endif

#ifndef _WIN32  // where the folder of a cache in use can't be removed
TEST_F(EncodedDatasets, WhatDisappearsFromTheCacheIsEncodedAgain) {
  image("a", "a square", 1);
  preset_.data.cache = CacheMode::all;
  const auto data = encoded();
  const ImageItem& item = data->images().item(0);
  const ImageVersion version = data->images().version(item, data->images().sizes(item)[0], 0);
  const std::vector<float> before = data->latents(item, version, false).mean.data;
  fs::remove_all(home_ / "cache");
  EXPECT_THROW(data->latents(item, version, false), EncodingGone);
  EXPECT_THROW(data->text("a square"), EncodingGone);
  data->encode_again(*kernels_, *model_);
  EXPECT_EQ(data->latents(item, version, false).mean.data, before);
  EXPECT_NO_THROW(data->text("a square"));
  // What was found there by encode() and not read since is gone, too.
  const auto found = encoded();
  fs::remove_all(home_ / "cache");
  found->encode_again(*kernels_, *model_);
  EXPECT_EQ(found->latents(item, version, false).mean.data, before);
  EXPECT_NO_THROW(found->text("a square"));
  fs::remove_all(home_ / "cache");
  fs::remove_all(home_ / "images");
  EXPECT_THROW(data->encode_again(*kernels_, *model_), Error);
  EXPECT_EQ(data->images().count(), 1U) << "the plan of the run must stay";
}
#endif

}  // namespace
}  // namespace mantissa
