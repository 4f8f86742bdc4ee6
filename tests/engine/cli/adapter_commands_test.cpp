// The commands on adapter files and whole models: merge, convert, resize, extract, new.
#include "engine/io/file.h"
#include "engine/io/model_writer.h"
#include "engine/io/safetensors.h"
#include "engine/io/weights.h"
#include "tests/engine/cli/cli_fixture.h"

namespace mantissa {
namespace {

class AdapterCommands : public CliTest {
 protected:
  const std::string base_ = MANTISSA_TEST_DATA "/golden/models/a.safetensors";
  const std::string adapters_ = MANTISSA_TEST_DATA "/golden/adapters/";
};

TEST_F(AdapterCommands, MergeThenExtractGivesTheAdapterBack) {
  const std::string lora = adapters_ + "diffusers.safetensors";
  ASSERT_EQ(run({"merge", "--base", base_, "--lora", lora + ":0.5", "--dtype", "fp32", "--out",
                 path("merged.safetensors"), "--json"}),
            0)
      << err();
  EXPECT_EQ(events().back().at("modules"), 4);
  const WeightSource merged = WeightSource::open(folder_ / "merged.safetensors");
  EXPECT_EQ(merged.metadata().at("mantissa.merged"), "diffusers.safetensors:0.5");
  ASSERT_EQ(run({"extract", "--base", base_, "--tuned", path("merged.safetensors"), "--rank", "3",
                 "--out", path("back.safetensors"), "--json"}),
            0)
      << err();
  EXPECT_EQ(events().back().at("modules"), 4);
  EXPECT_LT(events().back().at("error").get<double>(), 1e-3);
}

TEST_F(AdapterCommands, WhatIsExtractedFromPixartHasItsNames) {
  const std::string base = MANTISSA_TEST_DATA "/golden/models/pixart";
  const WeightSource source = WeightSource::open(base);
  const std::string weight = "transformer_blocks.0.attn1.to_q.weight";
  ModelContents tuned = model_contents(source);
  replace_values(tuned, kDenoiser, weight, [&] {
    std::vector<float> values(static_cast<std::size_t>(source.shape(kDenoiser, weight).count()));
    source.read_f32(kDenoiser, weight, values);
    values[0] += 0.5F;
    return values;
  });
  write_model_folder(folder_ / "tuned", tuned);
  ASSERT_EQ(run({"extract", "--base", base, "--tuned", path("tuned"), "--rank", "1", "--out",
                 path("x.safetensors")}),
            0)
      << err();
  const SafetensorsFile file = SafetensorsFile::open(folder_ / "x.safetensors");
  EXPECT_EQ(file.metadata().at("modelspec.architecture"), "pixart/lora");
  for (const TensorInfo& tensor : file.tensors()) {
    EXPECT_TRUE(tensor.name.starts_with("transformer.transformer_blocks.0.attn1.to_q."))
        << tensor.name;
  }
  EXPECT_EQ(file.tensors().size(), 2U);
}

TEST_F(AdapterCommands, AnIndexNamesOnlyThePartsThatAreThere) {
  const WeightSource source = WeightSource::open(MANTISSA_TEST_DATA "/golden/models/pixart");
  ModelContents model = model_contents(source);
  model.parts.erase(kTe1);
  model.configs.erase(kTe1);
  model.tokenizers.clear();
  write_model_folder(folder_ / "alone", model);
  const auto index = nlohmann::json::parse(read_text(folder_ / "alone/model_index.json"));
  EXPECT_EQ(index.at("_class_name"), "PixArtSigmaPipeline");
  EXPECT_TRUE(index.contains("transformer"));
  EXPECT_FALSE(index.contains("text_encoder"));
  EXPECT_FALSE(index.contains("tokenizer"));
}

TEST_F(AdapterCommands, ConvertAndResizeSayWhatTheyDid) {
  ASSERT_EQ(run({"convert", adapters_ + "loha.safetensors", "--base", base_, "--format",
                 "onetrainer", "--out", path("x.safetensors")}),
            0)
      << err();
  EXPECT_NE(out().find("3 modules, every tensor as it was"), std::string::npos) << out();
  ASSERT_EQ(run({"resize", path("x.safetensors"), "--base", base_, "--rank", "2", "--dtype", "bf16",
                 "--out", path("small.safetensors"), "--json"}),
            0)
      << err();
  EXPECT_EQ(events().back().at("rank"), 2);
  EXPECT_GT(events().back().at("error").get<double>(), 0.0);
  const SafetensorsFile small = SafetensorsFile::open(folder_ / "small.safetensors");
  EXPECT_EQ(small.metadata().at("ss_network_dim"), "2");
  ASSERT_EQ(run({"inspect", adapters_ + "loha.safetensors", "--json"}), 0) << err();
  EXPECT_EQ(events().back().at("form"), "LoHa");
  EXPECT_EQ(events().back().at("kind"), "adapter");
  ASSERT_EQ(run({"inspect", adapters_ + "peft", "--json"}), 0) << err();
  EXPECT_EQ(events().back().at("modules"), 4);
}

TEST_F(AdapterCommands, MistakesNameTheirCause) {
  EXPECT_EQ(run({"convert", base_, "--base", base_, "--out", path("x.safetensors")}), 2);
  EXPECT_NE(one_error_line().find("no tensor of a LoRA"), std::string::npos);
  EXPECT_EQ(run({"merge", "--base", base_, "--lora", path("none.safetensors"), "--out",
                 path("x.safetensors")}),
            2);
  EXPECT_EQ(
      run({"merge", "--base", base_, "--lora", adapters_ + "lokr.safetensors", "--out", base_}), 2);
  EXPECT_NE(one_error_line().find("base model itself"), std::string::npos);
  EXPECT_EQ(run({"resize", adapters_ + "lokr.safetensors", "--base", base_, "--out", "x"}), 2);
}

TEST_F(AdapterCommands, NewMakesTheSameModelForASeed) {
  for (const char* name : {"one.safetensors", "two.safetensors"}) {
    ASSERT_EQ(run({"new", "--like", base_, "--vae", base_, "--seed", "7", "--dtype", "fp16",
                   "--out", path(name)}),
              0)
        << err();
  }
  EXPECT_EQ(sha256_file(folder_ / "one.safetensors"), sha256_file(folder_ / "two.safetensors"));
  EXPECT_EQ(WeightSource::open(folder_ / "one.safetensors").names(kDenoiser),
            WeightSource::open(base_).names(kDenoiser));
}

TEST_F(AdapterCommands, ContinueFromReachesTheJob) {
  ASSERT_EQ(run({"train", "demo", "--base", "demo", "--continue-from", "x.safetensors",
                 "--dora-axis", "input"}),
            0)
      << err();
  EXPECT_EQ(job_.continue_from, std::filesystem::path("x.safetensors"));
  EXPECT_EQ(job_.dora_axis, DoraAxis::input);
}

}  // namespace
}  // namespace mantissa
