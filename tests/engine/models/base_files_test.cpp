// Base models whose parts are in files of their own, listed by a JSON.
#include "engine/io/base_files.h"

#include <fstream>
#include <gtest/gtest.h>

#include "engine/io/file.h"
#include "engine/io/inspect.h"
#include "engine/io/weights.h"
#include "engine/models/diffusion_model.h"
#include "engine/models/qwen3/chat_template.h"
#include "engine/models/qwen3/qwen3_tokenizer.h"
#include "tests/engine/models/support.h"
#include "tests/test_util.h"

namespace mantissa {
namespace {

namespace fs = std::filesystem;
using test::expect_error_with;
using testing_support::golden_model;

class BaseModelFiles : public ::testing::Test {
 protected:
  /// Copies of the tiny model's parts under ComfyUI's folders, and the JSON that lists them.
  fs::path listed(const std::string& model) {
    const fs::path from = golden_model(model), folder = folder_ / model;
    const auto copy = [&](const char* part, const fs::path& to) {
      fs::create_directories((folder / to).parent_path());
      for (const auto& entry : fs::directory_iterator(from / part)) {
        if (entry.path().extension() == ".safetensors") {
          fs::copy(entry.path(), folder / to);
        }
      }
      return folder / to;
    };
    BaseFiles files;
    files.parts[kDenoiser] = copy("transformer", "diffusion_models/model.safetensors");
    files.parts[kTe1] = copy("text_encoder", "text_encoders/qwen.safetensors");
    files.parts[kVae] = copy("vae", "vae/ae.safetensors");
    files.tokenizers[kTe1] = from / "tokenizer";
    write_base_files(folder / "base.json", files);
    return folder / "base.json";
  }
  fs::path json(const std::string& text) const {
    std::ofstream(folder_ / "base.json") << text;
    return folder_ / "base.json";
  }
  test::TempFolder folder_;
};

TEST_F(BaseModelFiles, HoldWhatTheFolderHolds) {
  for (const char* model : {"z_image", "flux2"}) {
    const fs::path file = listed(model);
    const WeightSource found = WeightSource::open(file);
    const WeightSource want = WeightSource::open(golden_model(model));
    EXPECT_EQ(&found.family(), &want.family());
    EXPECT_FALSE(found.single_file());
    EXPECT_TRUE(found.unknown().empty());
    for (const Part part : {kDenoiser, kTe1, kVae}) {
      ASSERT_EQ(found.names(part), want.names(part)) << part.name();
      for (const std::string& name : want.names(part)) {
        std::vector<float> ours(static_cast<std::size_t>(want.shape(part, name).count()));
        std::vector<float> theirs = ours;
        found.read_f32(part, name, ours);
        want.read_f32(part, name, theirs);
        EXPECT_EQ(ours, theirs) << name;
      }
    }
    EXPECT_EQ(found.files().size(), 3U);
    EXPECT_EQ(found.tokenizer_folder(kTe1), golden_model(model) / "tokenizer");
    const ModelSummary told = inspect(file);
    EXPECT_EQ(told.family, model);
    EXPECT_EQ(told.tensors, inspect(golden_model(model)).tensors);
  }
}

// FLUX's ae.safetensors.
TEST_F(BaseModelFiles, AVaeMayHaveItsAuthorsNames) {
  BaseFiles files;
  files.parts[kDenoiser] = golden_model("z_image_base.safetensors");
  files.parts[kVae] = golden_model("flux_vae.safetensors");
  const WeightSource source = WeightSource::open(files);
  EXPECT_TRUE(source.unknown().empty()) << source.unknown().front();
  EXPECT_TRUE(source.contains(kVae, "decoder.conv_in.weight"));
  EXPECT_TRUE(source.contains(kVae, "encoder.down_blocks.0.resnets.0.conv1.weight"));
}

// Its ids are compared with Hugging Face's by tests/interop/qwen_tokens.py.
TEST_F(BaseModelFiles, QwensTokenizerShipsWithTheProgram) {
  BaseFiles files;
  files.parts[kDenoiser] = golden_model("z_image_base.safetensors");
  const WeightSource source = WeightSource::open(files);
  const BpeTokenizer tokenizer = qwen3_tokenizer(source, kTe1, 151'936);
  EXPECT_EQ(tokenizer.vocab_size(), 151'669);
  EXPECT_EQ(tokenizer.id_of("<|im_start|>"), 151'644);
  EXPECT_EQ(tokenizer.id_of("</think>"), 151'668);
  EXPECT_EQ(tokenizer.pad_id(), 151'643);
  EXPECT_EQ(tokenizer.encode("a photo of a cat"),
            (std::vector<std::int32_t>{64, 6548, 315, 264, 8251}));
  EXPECT_EQ(description_prompt_tokens(tokenizer, "", 512).dropped, 34) << "as Krea 2 assumes";
  const PromptTokens pictured = pictured_prompt_tokens(tokenizer, "", 512, 2);
  EXPECT_EQ(pictured.dropped, 34);
  EXPECT_EQ(pictured.images, (std::vector<std::int64_t>{6, 13}));
  EXPECT_EQ(analysis_prompt_tokens(tokenizer, "", 1024, 10).images,
            (std::vector<std::int64_t>{8, 14, 20, 26, 32, 38, 44, 50, 56, 63}))
      << "as Qwen-Image-2.1 assumes";
  expect_error_with([&] { analysis_prompt_tokens(tokenizer, "", 32, 10); },
                    {"of the 10 reference"});
  expect_error_with([&] { qwen3_tokenizer(source, kTe1, 1000); }, {"151669", "1000 embeddings"});
}

TEST_F(BaseModelFiles, PathsAreFromTheJsonsFolder) {
  const fs::path path = listed("z_image");
  EXPECT_NE(read_text(path).find("\"diffusion_models/model.safetensors\""), std::string::npos);
  const BaseFiles files = read_base_files(path);
  EXPECT_EQ(files.parts.at(kVae), path.parent_path() / "vae/ae.safetensors");
  EXPECT_EQ(files.tokenizers.at(kTe1), golden_model("z_image") / "tokenizer")
      << "absolute: not below it";
}

TEST_F(BaseModelFiles, WhatIsWrongIsNamed) {
  const auto refused = [&](const std::string& text, std::initializer_list<std::string> words) {
    expect_error_with([&] { WeightSource::open(json(text)); }, words);
  };
  const std::string transformer = R"({"mantissa_base": 1, "denoiser": ")" +
                                  golden_model("z_image_base.safetensors").generic_string();
  refused("{}", {"base.json", "is no base model", "mantissa base"});
  refused("[1]", {"base.json", "is no base model"});
  refused(R"({"mantissa_base": 2, "denoiser": "a"})", {"mantissa_base must be 1", "it is 2"});
  refused(R"({"mantissa_base": 1, "vae": "a"})", {"denoiser is missing"});
  refused(R"({"mantissa_base": 1, "denoiser": 3})", {"denoiser must be a path"});
  refused(R"({"mantissa_base": 1, "denoiser": "x.safetensors"})", {"x.safetensors"});
  refused(transformer + R"(", "unet": "a"})", {"the key 'unet' is not known", "denoiser", "te1"});
  refused(
      transformer + R"(", "te2": ")" + golden_model("qwen3_a.safetensors").generic_string() + "\"}",
      {"Z-Image has no te2"});
}

TEST_F(BaseModelFiles, AModelWithoutAPartSaysHowToAddIt) {
  const auto model =
      DiffusionModel::open_planning(WeightSource::open(golden_model("z_image_base.safetensors")));
  expect_error_with([&] { model->vae(); }, {"z_image_base", "holds no vae", "mantissa base"});
}

}  // namespace
}  // namespace mantissa
