// model_index.json: every entry that diffusers' pipelines write (tests/golden/make_config_keys.py)
// is honoured, or harmless, or refused by file and name. None is ignored.
#include "engine/io/model_index.h"

#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <set>

#include "engine/core/error.h"
#include "engine/diffusion/model_objective.h"
#include "engine/io/json_file.h"
#include "engine/io/model_writer.h"
#include "engine/models/krea2/krea2_config.h"
#include "tests/engine/models/support.h"
#include "tests/test_util.h"

namespace mantissa {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing_support::golden_model;

/// A folder that holds nothing but a model_index.json.
class IndexFolder {
 public:
  explicit IndexFolder(json index, const char* name = "model_index.json") : name_(name) {
    test::write_file(folder_ / name, index.dump());
  }
  json read(const Family& family) const { return read_model_index(folder_.path(), family); }
  void expect_refusal(const Family& family, const std::string& field) const {
    try {
      read(family);
      ADD_FAILURE() << "read";
    } catch (const Error& e) {
      const std::string text = e.what();
      EXPECT_NE(text.find("field '" + field + "'"), std::string::npos) << text;
      EXPECT_NE(text.find(name_), std::string::npos) << text;
    }
  }
  fs::path path() const { return folder_.path(); }

 private:
  test::TempFolder folder_;
  std::string name_;
};

/// As diffusers writes it for a family's parts.
json index_of(const Family& family, const std::string& pipeline) {
  const auto entry = [](const LibraryClass& c) {
    return json::array({std::string(c.library), std::string(c.name)});
  };
  json index{{"_class_name", pipeline},
             {"_diffusers_version", "0.42.1"},
             {"scheduler", {"diffusers", "EulerDiscreteScheduler"}}};
  for (const PartFiles& part : family.parts) {
    index[std::string(part.folder)] = entry(part.model);
    if (!part.tokenizer.empty()) {
      index[std::string(part.tokenizer)] = entry(part.tokenizer_model);
    }
  }
  return index;
}

/// Entries that change neither training nor samples; the reasons are in model_index.cpp.
const std::map<std::string, json> kHarmless{
    {"safety_checker", {"stable_diffusion", "StableDiffusionSafetyChecker"}},
    {"requires_safety_checker", true},
    {"feature_extractor", {"transformers", "CLIPImageProcessor"}},
    {"image_encoder", {"transformers", "CLIPVisionModelWithProjection"}},
    {"force_zeros_for_empty_prompt", true},
    {"guider", {"diffusers", "ClassifierFreeGuidance"}},
    {"prompt_upsampler", {"transformers", "Qwen3_5ForConditionalGeneration"}},
    {"prompt_upsampler_processor", {"transformers", "AutoProcessor"}},
    {"image_processor", {"diffusers", "Flux3ImageProcessor"}},
    {"processor", {"transformers", "Qwen2VLProcessor"}},
    {"pe", {"transformers", "Ministral3ForCausalLM"}},
    {"pe_tokenizer", {"transformers", "TokenizersBackend"}}};
/// Settings that a family honours, with a value that isn't the default.
const std::map<std::string, json> kHonoured{{"is_distilled", true},
                                            {"text_encoder_select_layers", {1, 2, 3}},
                                            {"patch_size", 2},
                                            {"sample_sigmas", {1.0, 0.5}}};

void expect_all_entries(const Family& family, const std::string& pipeline, const json& parameters) {
  const json index = index_of(family, pipeline);
  EXPECT_EQ(IndexFolder(index).read(family), index);
  std::set<std::string> covered;
  for (const auto& [key, value] : parameters.items()) {
    if (key.starts_with('_')) {
      continue;  // the pipeline's class and diffusers' version
    }
    SCOPED_TRACE(pipeline + "." + key);
    json changed = index;
    if (index.contains(key)) {
      for (const json& other :
           {json{"diffusers", "AnotherClass"}, json{"../elsewhere", index[key][1]},
            json{"../" + key, "../../x"}, json("diffusers"), json{1, 2}}) {
        changed[key] = other;
        if (key == "scheduler" && other == json{"diffusers", "AnotherClass"}) {
          continue;  // it decides the defaults of scheduler_config.json
        }
        IndexFolder(changed).expect_refusal(family, key);
      }
    } else if (kHarmless.contains(key)) {
      changed[key] = kHarmless.at(key);
      EXPECT_NO_THROW(IndexFolder(changed).read(family));
      EXPECT_TRUE(pipeline_settings(changed, family).empty());
    } else if (kHonoured.contains(key)) {
      changed[key] = kHonoured.at(key);
      EXPECT_EQ(pipeline_settings(IndexFolder(changed).read(family), family),
                (json{{key, kHonoured.at(key)}}));
    } else {
      changed[key] = true;
      IndexFolder(changed).expect_refusal(family, key);
      changed[key] = value;
      EXPECT_NO_THROW(IndexFolder(changed).read(family)) << "its default";
    }
  }
}

TEST(ModelIndex, EveryEntryIsHonouredHarmlessOrRefused) {
  const json pipelines =
      read_json(fs::path(MANTISSA_TEST_DATA) / "golden/config_keys.json").at("pipelines");
  std::size_t walked = 0;
  for (const Family* family : families()) {
    std::vector<std::string_view> names(family->other_pipelines.begin(),
                                        family->other_pipelines.end());
    names.push_back(family->pipeline);
    for (const std::string_view name : names) {
      const auto at = pipelines.find(name);
      if (at == pipelines.end()) {
        EXPECT_THAT(
            (std::vector{ModelFamily("anima"), ModelFamily("flux3"), ModelFamily("qwen_image_21")}),
            ::testing::Contains(family->id()))
            << name << ": a modular pipeline has no list";
        expect_all_entries(*family, std::string(name), index_of(*family, std::string(name)));
        continue;
      }
      expect_all_entries(*family, std::string(name), *at);
      ++walked;
    }
  }
  EXPECT_EQ(walked, pipelines.size());
}

// As Flux3AutoBlocks' pipeline writes it, with what rewrites prompts.
TEST(ModelIndex, TheModularPipelineOfFlux3IsRead) {
  const auto part = [](const char* library, const char* kind, const char* folder) {
    return json::array({library, kind, {{"subfolder", folder}}});
  };
  const json index{
      {"_class_name", "Flux3ModularPipeline"},
      {"_blocks_class_name", "Flux3AutoBlocks"},
      {"transformer", part("diffusers", "Flux3Transformer2DModel", "transformer")},
      {"text_encoder", part("transformers", "Qwen3VLForConditionalGeneration", "text_encoder")},
      {"tokenizer", part("transformers", "Qwen3VLProcessor", "tokenizer")},
      {"vae", part("diffusers", "AutoencoderKLFlux2", "vae")},
      {"guider", part("diffusers", "ClassifierFreeGuidance", "guider")},
      {"prompt_upsampler",
       part("transformers", "Qwen3_5ForConditionalGeneration", "prompt_upsampler")},
      {"prompt_upsampler_processor",
       part("transformers", "AutoProcessor", "prompt_upsampler_processor")}};
  EXPECT_EQ(IndexFolder(index, "modular_model_index.json").read(family_of(ModelFamily("flux3"))),
            index);
}

TEST(ModelIndex, AnotherPipelineIsRefusedByName) {
  for (const Family* family : families()) {
    for (const char* other :
         {"KolorsPipeline", "../x", "StableDiffusionXLInstructPix2PixPipeline"}) {
      json index = index_of(*family, other);
      IndexFolder(index).expect_refusal(*family, "_class_name");
    }
    json unknown = index_of(*family, std::string(family->pipeline));
    unknown["../unet"] = {"diffusers", "UNet2DConditionModel"};
    IndexFolder(unknown).expect_refusal(*family, "../unet");
    json later = index_of(*family, std::string(family->pipeline));
    later["a_new_setting"] = 3;
    IndexFolder(later).expect_refusal(*family, "a_new_setting");
    later["a_new_setting"] = false;
    later["a_new_part"] = {nullptr, nullptr};
    EXPECT_NO_THROW(IndexFolder(later).read(*family));
  }
}

TEST(ModelIndex, APartThatItLeavesOutIsNotInTheFolder) {
  const Family& family = family_of(ModelFamily("krea2"));
  json index = index_of(family, "Krea2Pipeline");
  index["text_encoder"] = nullptr;
  EXPECT_NO_THROW(IndexFolder(index).read(family));
  for (const json& none : {json(), json{nullptr, nullptr}}) {
    index["text_encoder"] = none;
    const IndexFolder folder(index);
    fs::create_directories(folder.path() / "text_encoder");
    folder.expect_refusal(family, "text_encoder");
  }
}

TEST(ModelIndex, ClassesAroundTheSameNetworkAreOne) {
  const Family& family = family_of(ModelFamily("krea2"));
  json index = index_of(family, "Krea2Pipeline");
  index["text_encoder"][1] = "Qwen3VLForConditionalGeneration";
  for (const char* tokenizer : {"Qwen2TokenizerFast", "TokenizersBackend", "AutoTokenizer"}) {
    index["tokenizer"][1] = tokenizer;
    EXPECT_NO_THROW(IndexFolder(index).read(family)) << tokenizer;
  }
}

TEST(ModelIndex, OfAModularPipelineNamesThePartsFolders) {
  const Family& family = family_of(ModelFamily("anima"));
  json index = index_of(family, "AnimaModularPipeline");
  index["_blocks_class_name"] = "AnimaAutoBlocks";
  index["vae"].push_back({{"pretrained_model_name_or_path", "a/b"}, {"subfolder", "vae"}});
  EXPECT_NO_THROW(IndexFolder(index, "modular_model_index.json").read(family));
  index["vae"][2]["subfolder"] = "../vae";
  IndexFolder(index, "modular_model_index.json").expect_refusal(family, "vae");
}

/// A copy of a golden model whose model_index.json can be changed.
class ModelWithIndex {
 public:
  explicit ModelWithIndex(const char* golden) {
    fs::copy(golden_model(golden), path(), fs::copy_options::recursive);
  }
  fs::path path() const { return folder_ / "model"; }
  fs::path beside(const char* name) const { return folder_ / name; }
  json index() const { return read_json(path() / "model_index.json"); }
  WeightSource with(const json& index) const {
    test::write_file(path() / "model_index.json", index.dump());
    return WeightSource::open(path());
  }

 private:
  test::TempFolder folder_;
};

TEST(ModelIndex, TheSchedulersClassIsTheOneThatIsLoaded) {
  const ModelWithIndex model("krea2");
  json index = model.index();
  EXPECT_EQ(source_objective(model.with(index)).prediction, Prediction::flow);
  index["scheduler"] = {"diffusers", "FlowMatchHeunDiscreteScheduler"};
  EXPECT_EQ(model.with(index).scheduler_config()->at("_class_name"),
            "FlowMatchHeunDiscreteScheduler");
  index["scheduler"] = {"diffusers", "CosineDPMSolverMultistepScheduler"};
  const WeightSource source = model.with(index);
  test::expect_error_with([&] { source_objective(source); },
                          {"_class_name", "CosineDPMSolverMultistepScheduler"});
}

TEST(ModelIndex, DistilledKrea2HasOneShiftForSamplesOfAnySize) {
  const ModelWithIndex model("krea2");
  json index = model.index();
  const auto first_shifted = [](const WeightSource& source, double tokens) {
    const SourceObjective found = source_objective(source);
    return found.flow.sampling_mu == nullptr ? 0.0 : found.flow.sampling_mu(tokens, 8);
  };
  EXPECT_EQ(first_shifted(model.with(index), 4096), 0);
  index["is_distilled"] = true;
  const WeightSource turbo = model.with(index);
  EXPECT_EQ(first_shifted(turbo, 256), 1.15);
  EXPECT_EQ(first_shifted(turbo, 6400), 1.15);
  EXPECT_EQ(turbo.family().variant(turbo).name, "Turbo");
  EXPECT_TRUE(turbo.family().variant(turbo).distilled);
  index["is_distilled"] = "yes";
  const WeightSource broken = model.with(index);
  test::expect_error_with([&] { source_objective(broken); },
                          {"model_index.json", "is_distilled", "true or false", "yes"});
}

TEST(ModelIndex, Krea2TakesTheStatesItNames) {
  const ModelWithIndex model("krea2");
  json index = model.index();
  const json usual = index["text_encoder_select_layers"];
  std::vector<int> turned(usual.rbegin(), usual.rend());
  index["text_encoder_select_layers"] = turned;
  EXPECT_EQ(krea2_text_states(model.with(index)), turned);
  index.erase("text_encoder_select_layers");
  EXPECT_EQ(json(krea2_text_states(model.with(index))), usual);
  const auto refused = [&](const json& states, std::initializer_list<const char*> texts) {
    index["text_encoder_select_layers"] = states;
    const WeightSource source = model.with(index);
    for (const char* text : texts) {
      test::expect_error_with([&] { DiffusionModel::open_planning(source); },
                              {"model_index.json", "text_encoder_select_layers", text});
    }
  };
  refused({1, 2, 3}, {"12 entries", "3"});
  refused({2, 5, 8, 11, 14, 17, 20, 23, 26, 29, 32, 99}, {"99", "36"});
  refused({2, 5, 8, 11, 14, 17, 20, 23, 26, 29, 32, -1}, {"-1"});
  refused("all", {"\"all\""});
  index["text_encoder_select_layers"] = usual;
  index["patch_size"] = 1;
  const WeightSource other = model.with(index);
  test::expect_error_with([&] { DiffusionModel::open_planning(other); },
                          {"model_index.json", "patch_size", "1"});
}

// Kontext's weights and configs are those of dev.
TEST(ModelIndex, ThePipelineThatEditsTellsKontextAndStaysWithAModelWrittenFromIt) {
  const ModelWithIndex model("flux1");
  json index = model.index();
  const auto variant = [](const WeightSource& source) { return source.family().variant(source); };
  EXPECT_EQ(variant(model.with(index)).name, "dev");
  index["_class_name"] = "FluxKontextPipeline";
  const WeightSource kontext = model.with(index);
  EXPECT_EQ(variant(kontext).name, "Kontext dev");
  EXPECT_NE(variant(kontext).evidence.text().find("FluxKontextPipeline"), std::string::npos);
  const ModelContents contents = model_contents(kontext);
  write_model_folder(model.beside("folder"), contents);
  write_model_file(model.beside("file.safetensors"), contents);
  for (const char* name : {"folder", "file.safetensors"}) {
    EXPECT_EQ(variant(WeightSource::open(model.beside(name))).name, "Kontext dev") << name;
  }
}

TEST(ModelIndex, WhatItSaysStaysWithAModelWrittenFromIt) {
  const ModelWithIndex model("krea2");
  json index = model.index();
  index["is_distilled"] = true;
  index["text_encoder_select_layers"] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
  const ModelContents contents = model_contents(model.with(index));
  write_model_folder(model.beside("folder"), contents);
  write_model_file(model.beside("file.safetensors"), contents);
  for (const char* name : {"folder", "file.safetensors"}) {
    const WeightSource source = WeightSource::open(model.beside(name));
    EXPECT_EQ(json(krea2_text_states(source)), index["text_encoder_select_layers"]) << name;
    EXPECT_TRUE(source.family().variant(source).distilled) << name;
  }
}

}  // namespace
}  // namespace mantissa
