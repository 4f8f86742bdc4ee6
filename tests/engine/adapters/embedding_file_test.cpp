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
  const Family& flux1_ = family_of(ModelFamily("flux1"));
  const Family& chroma_ = family_of(ModelFamily("chroma"));
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
  EXPECT_THAT(refusal(sd15, family_of(ModelFamily("flux1"))), HasSubstr("has no clip_l"));
  Family none = sdxl_;
  none.parts = none.parts.first(1);
  EXPECT_THAT(refusal(sd15, none), HasSubstr("read no embeddings"));
  const fs::path outputs = file("outputs.safetensors", {{"t5_out", {1, 2}, {1, 2}}});
  EXPECT_TRUE(is_embedding_file(outputs));
  EXPECT_THAT(refusal(outputs, chroma_),
              HasSubstr("t5_out takes the place of what a text encoder"));
}

// OneTrainer's names, and ComfyUI's beside them where it reads no other.
TEST_F(EmbeddingFile, OfAT5HasTheNamesThatProgramsRead) {
  const WordEmbeddings word{"zorb", {{kTe1, 2, {1, 2, 3, 4}}, {kTe2, 3, {5, 6, 7, 8, 9, 0.5F}}}};
  write_embedding(folder_ / "zorb.safetensors", word, flux1_, MasterType::fp32, {});
  const SafetensorsFile stored = SafetensorsFile::open(folder_ / "zorb.safetensors");
  EXPECT_EQ(stored.tensors().size(), 3U);
  for (const char* name : {"t5", "t5xxl"}) {
    ASSERT_NE(stored.find(name), nullptr);
    EXPECT_EQ(stored.find(name)->shape(), (Shape{2, 3}));
  }
  EXPECT_EQ(read_embedding(folder_ / "zorb.safetensors", flux1_).encoders, word.encoders);
  // Chroma's T5 is FLUX.1's.
  const WordVectors alone = read_embedding(folder_ / "zorb.safetensors", chroma_).encoders.at(0);
  EXPECT_EQ(alone.part, kTe1);
  EXPECT_EQ(alone.values, word.encoders[1].values);
  const std::vector<float> four(4);
  EXPECT_EQ(read_embedding(file("a.safetensors", {{"clip_l", {1, 4}, four}, {"t5", {1, 4}, four}}),
                           flux1_)
                .vectors(),
            1);
  EXPECT_EQ(read_embedding(file("b.safetensors", {{"t5xxl", {2, 2}, four}}), chroma_).vectors(), 2);
}

class BundledEmbeddings : public EmbeddingFile {};

TEST_F(BundledEmbeddings, AreReadByTheirWords) {
  const std::vector<float> two{1, 2};
  const fs::path sdxl = file("sdxl.safetensors", {{"bundle_emb.zorb.clip_l", {1, 2}, {1, 2}},
                                                  {"bundle_emb.zorb.clip_g", {1, 2}, {3, 4}},
                                                  {"bundle_emb.<a.b>.clip_l", {2}, {5, 6}},
                                                  {"bundle_emb.<a.b>.clip_g", {2}, {7, 8}},
                                                  {"lora_unet_x.lora_down.weight", {1, 2}, two}});
  const std::vector<WordEmbeddings> words = read_bundled(sdxl, sdxl_);
  ASSERT_EQ(words.size(), 2U);
  EXPECT_EQ(words[0], (WordEmbeddings{"<a.b>", {{kTe1, 2, {5, 6}}, {kTe2, 2, {7, 8}}}}));
  EXPECT_EQ(words[1], (WordEmbeddings{"zorb", {{kTe1, 2, {1, 2}}, {kTe2, 2, {3, 4}}}}));
  // OneTrainer's name of a sole CLIP, and A1111's.
  for (const char* key : {"clip_l", "string_to_param.*", "emb_params"}) {
    const fs::path one =
        file("one.safetensors", {{std::string("bundle_emb.zorb.") + key, {1, 2}, {1, 2}}});
    EXPECT_EQ(read_bundled(one, sd15_), (std::vector{WordEmbeddings{"zorb", {{kTe1, 2, two}}}}));
  }
  EXPECT_TRUE(read_bundled(folder_, sd15_).empty()) << "PEFT's folder";
  EXPECT_THAT(test::message_of([&] { read_bundled(sdxl, flux1_); }), HasSubstr("has no t5"));
  const fs::path bare = file("bare.safetensors", {{"bundle_emb.zorb", {1, 2}, {1, 2}}});
  EXPECT_THAT(test::message_of([&] { read_bundled(bare, sdxl_); }), HasSubstr("has no clip_l"));
}

TEST_F(BundledEmbeddings, AreWrittenAsTheyAreRead) {
  const std::vector<WordEmbeddings> words{{"a", {{kTe1, 2, {1, 2}}}},
                                          {"b", {{kTe1, 2, {3, 4, 5, 6}}}}};
  const BundledWords bundled(words, sd15_, MasterType::bf16);
  std::vector<TensorToWrite> tensors;
  for (const TensorInfo* tensor : bundled.tensors()) {
    EXPECT_TRUE(tensor->name.ends_with(".clip_l")) << tensor->name;
    tensors.push_back({tensor->name, *tensor->type, tensor->shape(), tensor->data, {}});
  }
  write_safetensors(folder_ / "a.safetensors", tensors);
  EXPECT_EQ(read_bundled(folder_ / "a.safetensors", sd15_), words);
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
  // Of names that several families have, only the metadata tell.
  const ModelSummary any = inspect(file("c.safetensors", {{"t5", {1, 2}, {1, 2}}}));
  EXPECT_EQ(any.kind, ModelSummary::Kind::embedding);
  EXPECT_EQ(any.family, "unknown");
  write_embedding(folder_ / "d.safetensors", {"zorb", {{kTe1, 2, {1, 2}}}}, chroma_,
                  MasterType::fp32, {});
  EXPECT_EQ(inspect(folder_ / "d.safetensors").family, "chroma");
  const ModelSummary bundle =
      inspect(file("e.safetensors", {{"lora_unet_x.lora_down.weight", {1, 2}, {1, 2}},
                                     {"bundle_emb.zorb.clip_l", {3, 2}, std::vector<float>(6)}}));
  EXPECT_EQ(bundle.kind, ModelSummary::Kind::adapter);
  EXPECT_EQ(bundle.words, (std::map<std::string, std::int64_t>{{"zorb", 3}}));
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
