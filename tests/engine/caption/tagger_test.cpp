// Taggers against timm and Pillow (tests/golden/make_taggers.py).
#include "engine/caption/tagger.h"

#include <fstream>
#include <gmock/gmock.h>

#include "engine/caption/tag_caption.h"
#include "engine/core/error.h"
#include "engine/io/weight_convert.h"
#include "kernels/cpu/cpu.h"
#include "tests/test_util.h"

namespace mantissa {
namespace {
namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;

fs::path golden(const std::string& name) {
  return fs::path(MANTISSA_TEST_DATA) / "golden/taggers" / name;
}

class TaggerTest : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    expected_ = SafetensorsFile::open(golden(GetParam()) / "expected.safetensors");
  }

  Image picture(const char* name) const {
    const TensorInfo* info = expected_.find(name);
    const auto* bytes = reinterpret_cast<const std::uint8_t*>(info->data);
    return {static_cast<int>(info->dims[1]),
            static_cast<int>(info->dims[0]),
            {bytes, bytes + info->bytes},
            {}};
  }
  std::unique_ptr<Kernels> kernels_ = make_cpu_kernels(1);
  SafetensorsFile expected_;
};

TEST_P(TaggerTest, PreparesImagesAsPillowDoes) {
  const Tagger tagger(*kernels_, golden(GetParam()));
  EXPECT_EQ(square_image(picture("pixels"), tagger.config().side).pixels, picture("square").pixels);
}

TEST_P(TaggerTest, TellsTheLogitsOfTimm) {
  Tagger tagger(*kernels_, golden(GetParam()));
  const std::vector<float> logits =
      tagger.logits(tagger_input(picture("square"), tagger.config().input));
  const TensorInfo* wanted = expected_.find("logits");
  ASSERT_EQ(std::ssize(logits), wanted->count());
  for (std::size_t i = 0; i < logits.size(); ++i) {
    double value = 0;
    std::memcpy(&value, wanted->data + i * sizeof(double), sizeof(double));
    EXPECT_NEAR(logits[i], value, 1e-5) << i;
  }
  const std::vector<float> scores = tagger.scores(picture("pixels"));
  for (std::size_t i = 0; i < scores.size(); ++i) {
    EXPECT_NEAR(scores[i], 1 / (1 + std::exp(-logits[i])), 1e-6) << i;
  }
}

TEST_P(TaggerTest, StopsBetweenOps) {
  Tagger tagger(*kernels_, golden(GetParam()));
  int asked = 0;
  tagger.set_stop([&] { return ++asked == 3; });
  try {
    tagger.scores(picture("pixels"));
    FAIL() << "it wasn't stopped";
  } catch (const Error& e) {
    EXPECT_EQ(e.kind(), ErrorKind::interrupted);
  }
  EXPECT_EQ(asked, 3);
  tagger.set_stop({});
  EXPECT_FALSE(tagger.scores(picture("pixels")).empty());
  const auto stop = [](RunPhase, std::int64_t done, std::int64_t) {
    if (done == 2) {
      throw Error(ErrorKind::interrupted, Message::verbatim("stopped"));
    }
  };
  EXPECT_THROW(Tagger(*kernels_, golden(GetParam()), stop), Error);
}

INSTANTIATE_TEST_SUITE_P(Networks, TaggerTest, testing::Values("vit", "vit_registers", "eva02"),
                         [](const auto& info) { return std::string(info.param); });

TEST(TaggerFiles, WhatIsNoTaggerIsRefusedWithWhatIsRead) {
  const test::TempFolder folder;
  const auto kernels = make_cpu_kernels(1);
  const auto refusal = [&] {
    try {
      Tagger(*kernels, folder.path());
    } catch (const Error& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  EXPECT_THAT(refusal(), HasSubstr("model.safetensors, config.json and selected_tags.csv"));
  std::ofstream(folder.path() / "model.onnx") << "x";
  EXPECT_THAT(refusal(), HasSubstr("model.onnx alone"));
  fs::copy_file(golden("vit") / "expected.safetensors", folder.path() / "model.safetensors");
  EXPECT_THAT(refusal(), HasSubstr("has no tensor patch_embed.proj.weight"));
  fs::copy_file(golden("vit") / "model.safetensors", folder.path() / "model.safetensors",
                fs::copy_options::overwrite_existing);
  fs::copy_file(golden("vit") / "config.json", folder.path() / "config.json");
  EXPECT_THAT(refusal(), HasSubstr("selected_tags.csv"));
  const auto list = [&](const char* text) {
    std::ofstream(folder.path() / "selected_tags.csv") << text;
    return refusal();
  };
  EXPECT_THAT(list("id,tag\n1,hat\n"), HasSubstr("no column name"));
  EXPECT_THAT(list("name,category\n\"hat,0\n"), HasSubstr("line 2"));
  EXPECT_THAT(list("name,category\nhat,0\n"), HasSubstr("lists 1 tags"));
}

TEST(TagList, HasQuotedNamesAndKinds) {
  const std::vector<Tag> tags = read_tag_list(golden("vit") / "selected_tags.csv");
  ASSERT_EQ(tags.size(), 9U);
  EXPECT_EQ(tags[0].kind, TagKind::rating);
  EXPECT_EQ(tags[5].name, "smile, (object)");
  EXPECT_EQ(tags[7].kind, TagKind::character);
}

TEST(TagCaption, ChoosesByKindAndScore) {
  const std::vector<Tag> tags = read_tag_list(golden("vit") / "selected_tags.csv");
  const std::vector<float> scores{0.2F, 0.7F, 0.9F, 0.95F, 0.5F, 0.1F, 0.35F, 0.8F, 0.34F};
  EXPECT_THAT(chosen_tags(tags, scores, {}),
              ElementsAre("hatsune miku", "long hair", "1girl", "^_^", "hat"));
  TagOptions o;
  o.character_threshold = 0.81;
  o.ratings = o.underscores = true;
  o.excluded = {"1girl", "long hair"};
  EXPECT_THAT(chosen_tags(tags, scores, o), ElementsAre("sensitive", "^_^", "hat"));
}

TEST(TagCaption, KeepsWhatAnImageHas) {
  const std::vector<std::string> tags{"hat", "sky"};
  EXPECT_EQ(caption_with("", tags, ExistingCaption::keep), "hat, sky");
  EXPECT_EQ(caption_with("a sky", tags, ExistingCaption::keep), "a sky");
  EXPECT_EQ(caption_with("me, sky\n", tags, ExistingCaption::append), "me, sky, hat");
  EXPECT_EQ(caption_with("me, sky", tags, ExistingCaption::prepend), "hat, me, sky");
  EXPECT_EQ(caption_with("me", tags, ExistingCaption::replace), "hat, sky");
}

}  // namespace
}  // namespace mantissa
