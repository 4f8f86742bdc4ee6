// Which files fit a lone transformer, on the tiny model of every family that has one.
#include "engine/models/companions.h"

#include <fstream>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "engine/io/file.h"
#include "engine/io/json_file.h"
#include "engine/io/model_writer.h"
#include "engine/io/safetensors.h"
#include "engine/io/weights.h"
#include "engine/models/missing_parts.h"
#include "tests/engine/models/support.h"
#include "tests/test_util.h"

namespace mantissa {
namespace {

namespace fs = std::filesystem;
using test::expect_error_with;
using testing_support::golden_model;

class CompanionFiles : public ::testing::Test {
 protected:
  void SetUp() override { fs::create_directories(folder_ / "diffusion_models"); }

  /// The weights of a tiny model's part, under another name that tells nothing.
  fs::path put(const fs::path& from, const fs::path& to) {
    fs::create_directories((folder_ / to).parent_path());
    if (!fs::is_directory(golden_model(from.string()))) {
      fs::copy_file(golden_model(from.string()), folder_ / to);
      return folder_ / to;
    }
    for (const auto& entry : fs::directory_iterator(golden_model(from.string()))) {
      if (entry.path().extension() == ".safetensors") {
        fs::copy_file(entry.path(), folder_ / to);
      }
    }
    return folder_ / to;
  }
  /// Tensors of `from` that `wanted` renames to something, with this metadata.
  template <typename Wanted>
  fs::path rewrite(const fs::path& from, const fs::path& to,
                   const std::map<std::string, std::string>& metadata, Wanted wanted) {
    const SafetensorsFile file = SafetensorsFile::open(from);
    std::vector<TensorToWrite> tensors;
    for (const TensorInfo& t : file.tensors()) {
      if (wanted(t.name)) {
        tensors.push_back({t.name, *t.type, t.shape(), t.data, {}});
      }
    }
    fs::create_directories((folder_ / to).parent_path());
    write_safetensors(folder_ / to, tensors, metadata);
    return folder_ / to;
  }
  /// A transformer that brings the VAE's config: the tiny VAE's statistics aren't the released
  /// ones.
  fs::path put_transformer(const std::string& model) {
    const fs::path own = golden_model(model);
    const nlohmann::json configs{{"vae", read_json(own / "vae/config.json")}};
    return rewrite(own / "transformer/diffusion_pytorch_model.safetensors",
                   "diffusion_models/" + model + ".safetensors",
                   {{"mantissa.config", configs.dump()}}, [](const std::string&) { return true; });
  }
  static BaseFiles lone(const fs::path& transformer) {
    BaseFiles files;
    files.parts[kDenoiser] = transformer;
    return files;
  }
  using Files = std::vector<fs::path>;
  test::TempFolder folder_;
};

TEST_F(CompanionFiles, AreFoundAmongThoseOfOtherFamilies) {
  std::map<std::string, fs::path> transformers, encoders, vaes;
  for (const std::string model : {"z_image", "flux2", "krea2", "anima"}) {
    transformers[model] = put_transformer(model);
    encoders[model] = put(model + "/text_encoder", "text_encoders/" + model + ".safetensors");
    vaes[model] = put(model + "/vae", "vae/" + model + ".safetensors");
  }
  const fs::path conditioner = put("anima/text_conditioner", "clip/conditioner.safetensors");
  for (const std::string model : {"z_image", "flux2", "krea2", "anima"}) {
    SCOPED_TRACE(model);
    const Companions found = find_companions(lone(transformers[model]));
    // Two of the tiny encoders are equally wide.
    EXPECT_EQ(found.fitting.at(kTe1), model == "anima" || model == "z_image"
                                          ? (Files{encoders["anima"], encoders["z_image"]})
                                          : Files{encoders[model]});
    EXPECT_EQ(found.fitting.at(kVae), Files{vaes[model]});
    EXPECT_EQ(found.fitting.contains(kTe2), model == "anima");
    EXPECT_EQ(found.folders.size(), 4U);
  }
  const Companions anima = find_companions(lone(transformers["anima"]));
  EXPECT_EQ(anima.fitting.at(kTe2), Files{conditioner});
  EXPECT_EQ(anima.tokenizers, std::vector{kTe2}) << "T5's ships with nothing";
  EXPECT_TRUE(find_companions(lone(transformers["z_image"])).tokenizers.empty());
}

TEST_F(CompanionFiles, OfTwoTextEncodersFitTogether) {
  write_model_file(folder_ / "whole.safetensors",
                   model_contents(WeightSource::open(golden_model("b"))), {});
  const fs::path unet =
      rewrite(folder_ / "whole.safetensors", "diffusion_models/sdxl.safetensors",
              SafetensorsFile::open(folder_ / "whole.safetensors").metadata(),
              [](const std::string& name) { return name.starts_with("model.diffusion_model."); });
  const fs::path large = put("b/text_encoder_2", "clip/a.safetensors");
  const fs::path small = put("b/text_encoder", "clip/b.safetensors");
  put("b/vae", "vae/sdxl.safetensors");
  const Companions found = find_companions(lone(unet));
  EXPECT_EQ(found.fitting.at(kTe1), Files{small});
  EXPECT_EQ(found.fitting.at(kTe2), Files{large});
  BaseFiles files = with_companions(lone(unet));
  EXPECT_TRUE(misfits(files).empty());
  std::swap(files.parts[kTe1], files.parts[kTe2]);
  EXPECT_FALSE(misfits(files).empty());
}

TEST_F(CompanionFiles, MakeTheModelOfTheFolder) {
  const fs::path transformer = put("z_image/transformer", "diffusion_models/z.safetensors");
  put("z_image/text_encoder", "clip/q.safetensors");
  put("z_image/vae", "diffusion_models/v.safetensors");
  const BaseFiles files = with_companions(lone(transformer));
  EXPECT_TRUE(misfits(files).empty());
  EXPECT_TRUE(missing_parts(WeightSource::open(files)).empty());
  EXPECT_EQ(base_files_beside(transformer), folder_ / "diffusion_models/z.base.json");
}

TEST_F(CompanionFiles, NoneOrSeveralAreNamed) {
  const fs::path transformer = put("z_image/transformer", "diffusion_models/z.safetensors");
  expect_error_with([&] { with_companions(lone(transformer)); },
                    {"diffusion_models", "text_encoder (no file fits)", "vae (no file fits)",
                     "--text-encoder, --vae"});
  put("z_image/text_encoder", "text_encoders/q.safetensors");
  put("z_image/vae", "vae/one.safetensors");
  put("z_image/vae", "vae/two.safetensors");
  expect_error_with([&] { with_companions(lone(transformer)); },
                    {"z.safetensors", "text_encoders'", "vae (2 files fit", "one.safetensors",
                     "two.safetensors", "Choose with --vae"});
  BaseFiles chosen = lone(transformer);
  chosen.parts[kVae] = folder_ / "vae/two.safetensors";
  EXPECT_EQ(with_companions(chosen).parts.at(kTe1), folder_ / "text_encoders/q.safetensors");
}

TEST_F(CompanionFiles, HostileNeighboursArePassedOver) {
  const fs::path transformer = put("z_image/transformer", "diffusion_models/z.safetensors");
  const fs::path encoder = put("z_image/text_encoder", "text_encoders/q.safetensors");
  const fs::path vae = put("z_image/vae", "vae/v.safetensors");
  const std::string whole = read_text(encoder);
  const auto spoil = [&](const std::string& name, const std::string& bytes) {
    std::ofstream(folder_ / "text_encoders" / name, std::ios::binary) << bytes;
  };
  spoil("empty.safetensors", "");
  spoil("short.safetensors", whole.substr(0, whole.size() / 2));
  spoil("cut.safetensors", whole.substr(0, 100));
  spoil("huge.safetensors", std::string("\xff\xff\xff\xff\xff\xff\xff\x7f", 8) + whole.substr(8));
  spoil("nested.safetensors",
        std::string("\x10\x27\0\0\0\0\0\0", 8) + std::string(10'000, '[') + whole);
  spoil("wild.gguf", std::string("GGUF\x03\0\0\0", 8) + std::string(64, '\xff'));
  spoil("pickle.safetensors", "\x80\x02}q");
  const Companions found = find_companions(lone(transformer));
  EXPECT_EQ(found.fitting.at(kTe1), Files{encoder});
  EXPECT_EQ(found.fitting.at(kVae), Files{vae});
}

TEST_F(CompanionFiles, QwenWithAVisionTowerIsAnother) {
  const fs::path transformer = put("z_image/transformer", "diffusion_models/z.safetensors");
  const SafetensorsFile plain =
      SafetensorsFile::open(put("z_image/text_encoder", "text_encoders/plain.safetensors"));
  std::vector<TensorToWrite> tensors;
  for (const TensorInfo& t : plain.tensors()) {
    tensors.push_back({t.name, *t.type, t.shape(), t.data, {}});
  }
  const float zero = 0;
  tensors.push_back({"visual.pos_embed.weight", DType::f32, {1, 1}, &zero, {}});
  const fs::path seeing = folder_ / "text_encoders/seeing.safetensors";
  write_safetensors(seeing, tensors);
  EXPECT_EQ(find_companions(lone(transformer)).fitting.at(kTe1),
            Files{folder_ / "text_encoders/plain.safetensors"});
  BaseFiles files = lone(transformer);
  files.parts[kTe1] = seeing;
  EXPECT_NE(misfits(files).parts.at(kTe1).text().find("vision tower"), std::string::npos);
}

// A JSON may be written by hand.
TEST_F(CompanionFiles, AListedFileOfAnotherPartIsNamed) {
  BaseFiles files = lone(put_transformer("z_image"));
  files.parts[kTe1] = put("z_image/vae", "text_encoders/v.safetensors");
  write_base_files(folder_ / "model.json", files);
  const WeightSource source = WeightSource::open(folder_ / "model.json");
  const std::string text = without_parts(source, missing_parts(source)).text();
  EXPECT_NE(text.find("v.safetensors' as its text_encoder"), std::string::npos) << text;
}

TEST_F(CompanionFiles, WhatDoesNotFitIsToldByPart) {
  BaseFiles files = lone(put_transformer("anima"));
  files.parts[kTe1] = put("flux2/vae", "text_encoders/v.safetensors");
  files.parts[kTe2] = put("anima/text_conditioner", "text_encoders/c.safetensors");
  files.parts[kVae] = folder_ / "vae/none.safetensors";
  files.tokenizers[kTe1] = golden_model("anima/tokenizer");
  files.tokenizers[kTe2] = folder_.path();
  Misfits found = misfits(files);
  EXPECT_EQ(found.parts.size(), 2U);
  EXPECT_NE(found.parts.at(kTe1).text().find("v.safetensors' holds no text_encoder of Anima"),
            std::string::npos)
      << found.parts.at(kTe1).text();
  EXPECT_NE(found.parts.at(kVae).text().find("none.safetensors"), std::string::npos);
  EXPECT_TRUE(found.tokenizers.contains(kTe2));
  files.parts[kTe1] = put("anima/text_encoder", "text_encoders/q.safetensors");
  files.parts[kVae] = put("anima/vae", "vae/v.safetensors");
  files.tokenizers[kTe2] = golden_model("anima/t5_tokenizer");
  found = misfits(files);
  EXPECT_TRUE(found.empty()) << (found.parts.empty() ? "tokenizer"
                                                     : found.parts.begin()->second.text());
  EXPECT_TRUE(misfits(lone(folder_ / "vae/v.safetensors")).parts.contains(kDenoiser));
}

}  // namespace
}  // namespace mantissa
