// Files of embeddings (textual inversion).
#include "engine/adapters/embedding_file.h"

#include <cstring>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/io/inspect.h"
#include "engine/io/safetensors.h"
#include "engine/preset/names.h"
#include "tests/test_util.h"

namespace mantissa {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

class EmbeddingFile : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(testing::TempDir()) /
              testing::UnitTest::GetInstance()->current_test_info()->name();
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  struct Stored {
    std::string name;
    Shape shape;
    std::vector<float> values;
  };
  fs::path file(const char* name, const std::vector<Stored>& stored,
                const std::map<std::string, std::string>& metadata = {}) {
    std::vector<TensorToWrite> tensors;
    for (const Stored& s : stored) {
      tensors.push_back({s.name, DType::f32, s.shape, s.values.data(), {}});
    }
    write_safetensors(folder_ / name, tensors, metadata);
    return folder_ / name;
  }
  static std::string refusal(const fs::path& path, const Family& family) {
    return test::message_of([&] { read_embedding(path, family); });
  }

  fs::path folder_;
  const Family& sd15_ = family_of(ModelFamily("sd15"));
  const Family& sdxl_ = family_of(ModelFamily("sdxl"));
};

TEST_F(EmbeddingFile, IsReadAsItWasWritten) {
  const WordEmbeddings word{"zorb", {{kTe1, 2, {1, 2, 3, 4}}, {kTe2, 3, {5, 6, 7, 8, 9, 0.5F}}}};
  const fs::path path = embedding_path(folder_, "zorb");
  for (const MasterType type : {MasterType::fp32, MasterType::bf16, MasterType::fp16}) {
    SCOPED_TRACE(enum_name(type));
    write_embedding(path, word, sdxl_, type, {{"ss_steps", "7"}});
    EXPECT_TRUE(is_embedding_file(path));
    const WordEmbeddings read = read_embedding(path, sdxl_);
    EXPECT_EQ(read.word, "zorb");
    ASSERT_EQ(read.encoders.size(), 2U);
    EXPECT_EQ(read.vectors(), 2);
    for (std::size_t i = 0; i < 2; ++i) {
      EXPECT_EQ(read.encoders[i].part, word.encoders[i].part);
      EXPECT_EQ(read.encoders[i].width, word.encoders[i].width);
      EXPECT_EQ(read.encoders[i].values, word.encoders[i].values);
    }
  }
  const SafetensorsFile stored = SafetensorsFile::open(path);
  EXPECT_NE(stored.find("clip_l"), nullptr);
  EXPECT_NE(stored.find("clip_g"), nullptr);
  EXPECT_EQ(stored.metadata().at("ss_steps"), "7");
  EXPECT_EQ(stored.metadata().at("modelspec.architecture"),
            "stable-diffusion-xl-v1-base/textual-inversion");
  EXPECT_EQ(stored.metadata().at("modelspec.trigger_phrase"), "zorb");
}

TEST_F(EmbeddingFile, NamesItsWord) {
  EXPECT_EQ(read_embedding(file("blob.safetensors", {{"emb_params", {1, 2}, {1, 2}}}), sd15_).word,
            "blob")
      << "the file's name";
  EXPECT_EQ(read_embedding(file("a.safetensors", {{"<zorb>", {2}, {1, 2}}}), sd15_).word, "<zorb>")
      << "diffusers' tensor, of one vector";
  EXPECT_EQ(read_embedding(file("b.safetensors", {{"emb_params", {1, 2}, {1, 2}}},
                                {{"mantissa.word", "said"}}),
                           sd15_)
                .word,
            "said");
  EXPECT_EQ(read_embedding(folder_ / "b.safetensors", sd15_, "given").word, "given");
}

TEST_F(EmbeddingFile, WhatDoesNotFitIsRefusedWithItsCause) {
  const fs::path sd15 = file("sd15.safetensors", {{"emb_params", {1, 2}, {1, 2}}});
  EXPECT_THAT(refusal(sd15, sdxl_), HasSubstr("has no clip_l, the vectors for a text encoder of"));
  const fs::path half = file("half.safetensors", {{"clip_l", {1, 2}, {1, 2}}});
  EXPECT_THAT(refusal(half, sdxl_), HasSubstr("has no clip_g"));
  const fs::path uneven =
      file("uneven.safetensors", {{"clip_l", {1, 2}, {1, 2}}, {"clip_g", {2, 1}, {1, 2}}});
  EXPECT_THAT(refusal(uneven, sdxl_), HasSubstr("1 vectors for one text encoder and 2"));
  const fs::path broken = file("broken.safetensors", {{"emb_params", {1, 2}, {NAN, 2}}});
  EXPECT_THAT(refusal(broken, sd15_), HasSubstr("NaN or Inf"));
  const fs::path cube = file("cube.safetensors", {{"emb_params", {1, 1, 2}, {1, 2}}});
  EXPECT_THAT(refusal(cube, sd15_), HasSubstr("must hold vectors"));
  EXPECT_THAT(refusal(sd15, family_of(ModelFamily("flux1"))), HasSubstr("read no embeddings"));
}

TEST_F(EmbeddingFile, IsToldFromOthers) {
  EXPECT_TRUE(is_embedding_file(file("a.safetensors", {{"emb_params", {1, 2}, {1, 2}}})));
  EXPECT_FALSE(
      is_embedding_file(file("b.safetensors", {{"emb_params", {1, 2}, {1, 2}},
                                               {"lora_unet_x.lora_down.weight", {1, 2}, {1, 2}}})));
  EXPECT_FALSE(is_embedding_file(folder_ / "none.safetensors"));
  EXPECT_FALSE(is_embedding_file(folder_));
}

TEST_F(EmbeddingFile, IsInspected) {
  const ModelSummary one =
      inspect(file("a.safetensors", {{"emb_params", {3, 2}, std::vector<float>(6)}}));
  EXPECT_EQ(one.kind, ModelSummary::Kind::embedding);
  EXPECT_EQ(one.family, "sd15");
  EXPECT_EQ(one.vectors, 3);
  const ModelSummary two = inspect(
      file("b.safetensors", {{"clip_l", {2, 2}, {1, 2, 3, 4}}, {"clip_g", {2, 1}, {1, 2}}}));
  EXPECT_EQ(two.kind, ModelSummary::Kind::embedding);
  EXPECT_EQ(two.family, "sdxl");
  EXPECT_EQ(two.vectors, 2);
  EXPECT_EQ(two.parts, (std::map<std::string, std::int64_t>{{"te1", 1}, {"te2", 1}}));
}

// One says it in settings, the other in files.
TEST(EmbeddingFamilies, HaveNamesForTheirVectors) {
  for (const Family* family : families()) {
    const bool named = std::ranges::any_of(
        family->parts, [](const PartFiles& part) { return !part.embedding.empty(); });
    EXPECT_EQ(named, family->row.has_embeddings) << family->title();
  }
}

}  // namespace
}  // namespace mantissa
