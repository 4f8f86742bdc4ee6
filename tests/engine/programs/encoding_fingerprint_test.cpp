// Cached latents and texts match the model exactly: every input of an encoding is in its key, and
// nothing else of the base model.
#include "engine/programs/encoding_fingerprint.h"

#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <nlohmann/json.hpp>

#include "engine/io/file.h"
#include "engine/io/model_writer.h"
#include "engine/plan/job_precision.h"
#include "tests/engine/train/run_fixture.h"

namespace mantissa {
namespace {

namespace fs = std::filesystem;

std::string bytes_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// Flips a bit in the middle of the largest tensor whose name begins so.
void flip_a_weight(const fs::path& file, std::string_view prefix = "") {
  std::string bytes = bytes_of(file);
  std::uint64_t header = 0;
  std::memcpy(&header, bytes.data(), sizeof header);
  std::uint64_t begin = 0, length = 0;
  const nlohmann::json tensors = nlohmann::json::parse(bytes.substr(8, header));
  for (const auto& [name, tensor] : tensors.items()) {
    if (name == "__metadata__" || !name.starts_with(prefix)) {
      continue;
    }
    const auto range = tensor.at("data_offsets").get<std::vector<std::uint64_t>>();
    if (range[1] - range[0] > length) {
      begin = range[0];
      length = range[1] - range[0];
    }
  }
  ASSERT_GT(length, 4 * 4096U) << "farther than 4 KiB from both of its ends";
  char& middle = bytes[8 + header + begin + length / 2];
  middle = static_cast<char>(middle ^ 1);
  std::ofstream(file, std::ios::binary) << bytes;
}

void set_field(const fs::path& file, const char* key, const nlohmann::json& value) {
  nlohmann::json object = nlohmann::json::parse(bytes_of(file));
  object[key] = value;
  std::ofstream(file) << object.dump(2);
}

class EncodingFingerprintTest : public testing_support::RunFixture {
 protected:
  void SetUp() override {
    RunFixture::SetUp();
    base_ = home_ / "base";
    write_model_folder(base_, model_contents(WeightSource::open(
                                  MANTISSA_SOURCE_DIR "/resources/demo/mini-sdxl.safetensors")));
    for (const char* folder : {"tokenizer", "tokenizer_2"}) {
      fs::create_directories(base_ / folder);
      std::ofstream(base_ / folder / "vocab.json") << R"({"<|endoftext|>": 1})";
      std::ofstream(base_ / folder / "merges.txt") << "#version: 0.2\n";
    }
    before_ = now();
  }
  struct Fingerprints {
    std::string latents, texts;
  };
  Fingerprints now() {
    const WeightSource source = WeightSource::open(base_);
    const auto model =
        DiffusionModel::open_planning(source, nullptr, job_precision(job_.preset, source).rules);
    model->set_text_options(TextOptions::of(job_.preset));
    const ContentHashes hashes(home_ / "hashes");
    return {latent_fingerprint(*model, hashes), text_fingerprint(*model, hashes)};
  }
  enum class New { latents, texts, both, neither };
  void expect(New what, const char* of) {
    const Fingerprints after = now();
    EXPECT_EQ(after.latents != before_.latents, what == New::latents || what == New::both) << of;
    EXPECT_EQ(after.texts != before_.texts, what == New::texts || what == New::both) << of;
    before_ = after;
  }

  fs::path base_;
  Fingerprints before_;
};

TEST_F(EncodingFingerprintTest, IsTheSameForTheSame) {
  expect(New::neither, "nothing changed");
}

TEST_F(EncodingFingerprintTest, EveryWeightOfTheEncodersIsInIt) {
  flip_a_weight(base_ / "text_encoder_2/model.safetensors");
  expect(New::texts, "te2's weights alone");
  flip_a_weight(base_ / "text_encoder/model.safetensors");
  expect(New::texts, "te1's weights alone");
  flip_a_weight(base_ / "vae/diffusion_pytorch_model.safetensors");
  expect(New::latents, "the VAE's weights alone");
  flip_a_weight(base_ / "unet/diffusion_pytorch_model.safetensors");
  expect(New::neither, "the denoiser, which encodes nothing");
}

TEST_F(EncodingFingerprintTest, APartsOwnFilesAreReadAsAWholeNotTensorByTensor) {
  const WeightSource source = WeightSource::open(base_);
  const auto model =
      DiffusionModel::open_planning(source, nullptr, job_precision(job_.preset, source).rules);
  const auto tensors = static_cast<std::int64_t>(source.names(kVae).size());
  std::int64_t most = 0;
  const Progress progress = [&](RunPhase, std::int64_t, std::int64_t total) {
    most = std::max(most, total);
  };
  latent_fingerprint(*model, ContentHashes(home_ / "cold"), progress);
  EXPECT_LT(most, tensors) << "a file's progress is in MiB, and this one is small";
}

TEST_F(EncodingFingerprintTest, OfAFileOfAllPartsOnlyTheEncodersTensorsCount) {
  base_ = home_ / "all.safetensors";
  fs::copy_file(MANTISSA_SOURCE_DIR "/resources/demo/mini-sdxl.safetensors", base_);
  before_ = now();
  flip_a_weight(base_, "model.diffusion_model.");
  expect(New::neither, "the denoiser's");
  flip_a_weight(base_, "conditioner.embedders.1.");
  expect(New::texts, "te2's");
  flip_a_weight(base_, "first_stage_model.");
  expect(New::latents, "the VAE's");
}

TEST_F(EncodingFingerprintTest, EveryConfigurationIsInIt) {
  set_field(base_ / "text_encoder/config.json", "hidden_act", "gelu");
  expect(New::texts, "te1's activation");
  set_field(base_ / "text_encoder_2/config.json", "layer_norm_eps", 1e-3);
  expect(New::texts, "te2's layer norm");
  set_field(base_ / "vae/config.json", "norm_num_groups", 4);
  expect(New::latents, "the VAE's groups");
  set_field(base_ / "text_encoder/config.json", "_name_or_path", "elsewhere");
  expect(New::neither, "where a part came from");
}

TEST_F(EncodingFingerprintTest, TokenizersAreInIt) {
  std::ofstream(base_ / "tokenizer/merges.txt", std::ios::app) << "a b\n";
  expect(New::texts, "te1's merges");
  std::ofstream(base_ / "tokenizer_2/vocab.json") << R"({"a": 0, "<|endoftext|>": 1})";
  expect(New::texts, "te2's vocabulary");
  std::ofstream(base_ / "tokenizer_2/tokenizer_config.json") << R"({"pad_token": "a"})";
  expect(New::texts, "te2's padding");
}

TEST_F(EncodingFingerprintTest, PrecisionAndOptionsAreInIt) {
  job_.preset.precision.weights.vae = StorageType::bf16;
  expect(New::latents, "the VAE's dtype");
  job_.preset.precision.weights.text_encoders = StorageType::bf16;
  expect(New::texts, "the text encoders' dtype");
  job_.preset.training.clip_skip = 3;
  expect(New::texts, "the layer that is taken");
  job_.preset.data.caption_chunks = 2;
  expect(New::texts, "the chunks of a caption");
}

}  // namespace
}  // namespace mantissa
