// The commands on adapter files and whole models: merge, convert, resize, extract, new.
#include <map>
#include <regex>

#include "engine/core/shell_words.h"
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

TEST_F(AdapterCommands, AModuleThatTwoAdaptersChangeIsOne) {
  const std::string lora = adapters_ + "diffusers.safetensors";
  ASSERT_EQ(run({"merge", "--base", base_, "--lora", lora + ":0.5", "--lora", lora + ":0.25",
                 "--dtype", "fp32", "--out", path("twice.safetensors"), "--json"}),
            0)
      << err();
  EXPECT_EQ(events().back().at("modules"), 4);
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

TEST_F(AdapterCommands, ALokrThatIsNotConvertedNamesTheRankThatHoldsIt) {
  const std::string lokr = adapters_ + "lokr.safetensors", made = path("lora.safetensors");
  ASSERT_EQ(run({"convert", lokr, "--base", base_, "--format", "diffusers", "--out", made}), 2);
  const std::string said = one_error_line();
  std::smatch found;
  ASSERT_TRUE(std::regex_search(said, found, std::regex("--rank ([0-9]+) --format diffusers")))
      << said;
  EXPECT_NE(said.find("`mantissa resize " + shell_word(lokr) + " --base " + shell_word(base_) +
                      " --rank " + found[1].str() + " --format diffusers --out " +
                      shell_word(made) + "`"),
            std::string::npos)
      << said;
  ASSERT_EQ(run({"resize", lokr, "--base", base_, "--rank", found[1].str(), "--format", "diffusers",
                 "--out", made, "--json"}),
            0)
      << err();
  EXPECT_LE(events().back().at("error").get<double>(), 1e-4);
}

TEST_F(AdapterCommands, NamedCommandsAreQuotedForTheShell) {
  const std::string lokr = path("it's my lokr.safetensors"), made = path("my lora.safetensors");
  std::filesystem::copy_file(adapters_ + "lokr.safetensors", lokr);
  ASSERT_EQ(run({"convert", lokr, "--base", base_, "--format", "diffusers", "--out", made}), 2);
  const std::string said = one_error_line();
  for (const std::string& word : {lokr, made}) {
    EXPECT_NE(said.find(' ' + shell_word(word)), std::string::npos) << said;
    EXPECT_NE(shell_word(word), word);
  }
}

TEST_F(AdapterCommands, MistakesNameTheirCause) {
  EXPECT_EQ(run({"convert", base_, "--base", base_, "--out", path("x.safetensors")}), 2);
  EXPECT_NE(one_error_line().find("a weight of a whole model"), std::string::npos);
  EXPECT_EQ(run({"merge", "--base", base_, "--lora", path("none.safetensors"), "--out",
                 path("x.safetensors")}),
            2);
  EXPECT_EQ(
      run({"merge", "--base", base_, "--lora", adapters_ + "lokr.safetensors", "--out", base_}), 2);
  EXPECT_NE(one_error_line().find("is what this command reads"), std::string::npos);
  EXPECT_EQ(run({"resize", adapters_ + "lokr.safetensors", "--base", base_, "--out", "x"}), 2);
}

TEST_F(AdapterCommands, FactorsWhoseProductOverflowsAreNeverWritten) {
  const std::string module = "unet.down_blocks.1.attentions.0.transformer_blocks.0.attn1.to_q";
  const std::vector<float> values(64, 1e30F);
  write_safetensors(folder_ / "large.safetensors",
                    std::vector<TensorToWrite>{
                        {module + ".lora_down.weight", DType::f32, {2, 32}, values.data(), {}},
                        {module + ".lora_up.weight", DType::f32, {32, 2}, values.data(), {}}});
  for (const std::vector<std::string>& command :
       {std::vector<std::string>{"merge", "--lora", path("large.safetensors")},
        {"resize", path("large.safetensors"), "--rank", "1"},
        {"convert", path("large.safetensors"), "--format", "plain_lora", "--dtype", "bf16"}}) {
    std::vector<std::string> words = command;
    words.insert(words.end(), {"--base", base_, "--out", path("x.safetensors")});
    EXPECT_EQ(run(words), 2) << command.front();
    const std::string error = err();
    EXPECT_NE(error.find("large.safetensors"), std::string::npos) << error;
    EXPECT_NE(error.find("denoiser." + module.substr(5)), std::string::npos) << error;
    EXPECT_NE(error.find("Inf/NaN"), std::string::npos) << error;
    EXPECT_FALSE(std::filesystem::exists(folder_ / "x.safetensors"));
  }
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

TEST_F(AdapterCommands, TrainingAdaptersReachTheJob) {
  ASSERT_EQ(run({"train", "demo", "--base", "demo", "--images", "demo", "--training-adapter",
                 "turbo.safetensors:0.7", "--training-adapter", "b.safetensors"}),
            0)
      << err();
  EXPECT_EQ(job_.training_adapters,
            (std::vector<TrainingAdapter>{{"turbo.safetensors", 0.7}, {"b.safetensors", 1}}));
  EXPECT_EQ(run({"train", "demo", "--base", "demo", "--images", "demo", "--training-adapter",
                 "turbo.safetensors:much"}),
            2);
  EXPECT_NE(one_error_line().find("'much' is no weight"), std::string::npos);
}

/// Type, shape and bytes of every tensor of a file.
std::map<std::string, std::string> tensors_in(const std::filesystem::path& path) {
  std::map<std::string, std::string> all;
  const SafetensorsFile file = SafetensorsFile::open(path);
  for (const TensorInfo& t : file.tensors()) {
    all[t.name] = t.dtype + " " + t.shape().str() + " " +
                  std::string(reinterpret_cast<const char*>(t.data), t.bytes);
  }
  return all;
}

TEST_F(AdapterCommands, WhatIsNoWeightOfABaseIsInEverythingMadeOfIt) {
  const std::vector<float> averages{1, 2, 3};
  const std::vector<std::int64_t> ids{5, 7};
  const std::vector<std::int16_t> odd{1, -1};
  const WeightSource plain = WeightSource::open(base_);
  ModelContents model = model_contents(plain, DType::f32);
  const auto extra = [&](const char* name, DType type, Shape shape, const void* data,
                         const char* other = "") {
    model.extras.push_back({{name, type, shape, data, {}}, std::nullopt, other});
  };
  extra("model_ema.decay", DType::f32, {3}, averages.data());
  extra("something.unknown", DType::i64, {2}, ids.data());
  extra("a.type.the.engine.lacks", DType::u8, {2}, odd.data(), "I16");
  model.markers = {"v_pred", "ztsnr"};
  // The schedule in the metadata is what once hid the markers.
  write_model_file(folder_ / "base.safetensors", model, {{"their.key", "kept"}});
  const auto before = tensors_in(folder_ / "base.safetensors");
  const std::string lora = adapters_ + "diffusers.safetensors";
  ASSERT_EQ(run({"merge", "--base", path("base.safetensors"), "--lora", lora, "--dtype", "fp16",
                 "--out", path("merged.safetensors")}),
            0)
      << err();
  ASSERT_EQ(run({"quantise", "--base", path("base.safetensors"), "--weights", "fp8_e4m3", "--out",
                 path("codes.safetensors")}),
            0)
      << err();
  std::vector<std::string> extras{"v_pred", "ztsnr"};
  for (const ModelContents::Extra& one :
       model_contents(WeightSource::open(folder_ / "base.safetensors")).extras) {
    extras.push_back(one.tensor.name);
  }
  ASSERT_GE(extras.size(), 5U);
  for (const char* made : {"merged.safetensors", "codes.safetensors"}) {
    const auto after = tensors_in(folder_ / made);
    for (const std::string& kept : extras) {
      ASSERT_TRUE(after.contains(kept)) << made << " " << kept;
      EXPECT_EQ(after.at(kept), before.at(kept)) << made << " " << kept;
    }
    for (const auto& [name, content] : before) {
      EXPECT_TRUE(after.contains(name)) << made << " " << name;
    }
    const WeightSource again = WeightSource::open(folder_ / made);
    EXPECT_TRUE(again.has_marker("v_pred") && again.has_marker("ztsnr")) << made;
    EXPECT_EQ(again.metadata().at("their.key"), "kept") << made;
  }
}

TEST_F(AdapterCommands, TheTensorsOfAPartsFolderStayThere) {
  ModelContents model = model_contents(WeightSource::open(base_));
  const std::vector<float> values{1, 2};
  model.extras.clear();
  model.extras.push_back({{"their.own", DType::f32, {2}, values.data(), {}}, kDenoiser});
  model.extras.push_back({{"of.a.single.file", DType::f32, {2}, values.data(), {}}, std::nullopt});
  write_model_folder(folder_ / "base", model);
  ASSERT_EQ(run({"merge", "--base", path("base"), "--lora", adapters_ + "diffusers.safetensors",
                 "--out", path("merged")}),
            0)
      << err();
  const char* file = "unet/diffusion_pytorch_model.safetensors";
  const auto before = tensors_in(folder_ / "base" / file),
             after = tensors_in(folder_ / "merged" / file);
  ASSERT_TRUE(after.contains("their.own"));
  EXPECT_EQ(after.at("their.own"), before.at("their.own"));
  EXPECT_FALSE(before.contains("of.a.single.file"));
}

TEST_F(AdapterCommands, NoInputIsReplacedWhateverIsAskedFor) {
  namespace fs = std::filesystem;
  fs::copy_file(base_, folder_ / "base.safetensors");
  fs::copy_file(adapters_ + "diffusers.safetensors", folder_ / "lora.safetensors");
  write_model_folder(folder_ / "model", model_contents(WeightSource::open(base_)));
  const auto before = tensors_in(folder_ / "base.safetensors");
  const auto adapter = tensors_in(folder_ / "lora.safetensors");
  const std::string base = path("base.safetensors"), lora = path("lora.safetensors");
  std::vector<std::string> inputs{base, lora, path("./lora.safetensors")};
#ifndef _WIN32  // only administrators make links there
  fs::create_symlink("lora.safetensors", folder_ / "link.safetensors");
  inputs.push_back(path("link.safetensors"));
#endif
  for (const std::string& out : inputs) {
    for (const std::vector<std::string>& args : std::vector<std::vector<std::string>>{
             {"merge", "--base", base, "--lora", lora},
             {"convert", lora, "--base", base, "--format", "kohya"},
             {"resize", lora, "--base", base, "--rank", "1"}}) {
      std::vector<std::string> all = args;
      all.insert(all.end(), {"--out", out, "--overwrite"});
      EXPECT_EQ(run(all), 2) << args.front() << " " << out;
      EXPECT_NE(err().find("is what this command reads"), std::string::npos) << err();
    }
  }
  for (const std::vector<std::string>& args : std::vector<std::vector<std::string>>{
           {"merge", "--base", path("model"), "--lora", lora, "--out", path("model/unet")},
           {"merge", "--base", path("model"), "--lora", lora, "--out", path("model/x.safetensors")},
           {"quantise", "--base", path("model"), "--weights", "int8", "--out",
            path("model/vae/x.safetensors")},
           {"extract", "--base", base, "--tuned", path("model"), "--rank", "1", "--out",
            path("model/x.safetensors")},
           {"convert", lora, "--base", base, "--format", "peft", "--out", path(".")},
           {"new", "--like", path("model"), "--out", path("model/x.safetensors")}}) {
    std::vector<std::string> all = args;
    all.push_back("--overwrite");
    EXPECT_EQ(run(all), 2) << args.front();
    EXPECT_NE(err().find("lie inside each other"), std::string::npos) << err();
  }
  EXPECT_EQ(
      run({"sample", "--base", base, "--lora", lora, "--prompt", "x", "--out", path("x.png")}), 0)
      << err();
  EXPECT_EQ(tensors_in(folder_ / "base.safetensors"), before);
  EXPECT_EQ(tensors_in(folder_ / "lora.safetensors"), adapter);
  EXPECT_FALSE(fs::exists(folder_ / "model/x.safetensors"));
}

TEST_F(AdapterCommands, EnergyLeftOutIsCountedAsEnergy) {
  const std::string lora = adapters_ + "diffusers.safetensors";
  ASSERT_EQ(run({"resize", lora, "--base", base_, "--rank", "4", "--energy", "0.9", "--out",
                 path("small.safetensors")}),
            0)
      << err();
  std::smatch share;
  const std::string said = out();
  EXPECT_NE(run({"resize", lora, "--base", base_, "--rank", "4", "--energy", "0", "--out",
                 path("none.safetensors")}),
            0)
      << "nothing would be left of the change";
  EXPECT_NE(err().find("from above 0 to 1"), std::string::npos) << err();
  ASSERT_TRUE(
      std::regex_search(said, share, std::regex("at most ([0-9.e-]+)% of a change's energy")))
      << said;
  EXPECT_LE(std::stod(share[1]), 10) << said;
}

}  // namespace
}  // namespace mantissa
