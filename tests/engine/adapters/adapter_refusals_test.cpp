// Every refusal of the readers of adapters, by its template in their sources: an input that leads
// to it, and where it says what to do, that this helps.
#include <cmath>
#include <fstream>
#include <functional>
#include <gtest/gtest.h>
#include <limits>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <sstream>

#include "engine/adapters/export.h"
#include "engine/adapters/read_adapter.h"
#include "engine/io/safetensors.h"
#include "tests/test_util.h"

namespace mantissa {
namespace {
namespace fs = std::filesystem;
using nlohmann::json;

constexpr const char* kReaders[] = {
    "engine/adapters/adapter_file.cpp",  "engine/adapters/read_adapter.cpp",
    "engine/adapters/adapter_forms.cpp", "engine/adapters/peft_config.cpp",
    "engine/io/python_expression.cpp",   "engine/io/finite_weights.cpp"};

/// The templates of message<"…"> and fail<"…"> in a source, their string literals joined.
std::set<std::string> templates_of(const std::string& source) {
  std::ifstream in(fs::path(MANTISSA_SOURCE_DIR) / source);
  std::stringstream text;
  text << in.rdbuf();
  const std::string all = text.str();
  const std::regex start(R"((?:message|fail)<\s*)"), literal(R"re(\s*"((?:[^"\\]|\\.)*)")re");
  std::set<std::string> found;
  for (std::sregex_iterator it(all.begin(), all.end(), start), end; it != end; ++it) {
    std::string joined;
    auto at = all.cbegin() + it->position() + it->length();
    for (std::smatch part;
         std::regex_search(at, all.cend(), part, literal, std::regex_constants::match_continuous);
         at = part[0].second) {
      joined += part[1];
    }
    if (!joined.empty()) {
      found.insert(joined);
    }
  }
  return found;
}

struct Stored {
  std::string name;
  Shape shape;
  std::vector<float> values;
};

Stored filled(std::string name, const Shape& shape, float value = 0.25F) {
  return {std::move(name), shape,
          std::vector<float>(static_cast<std::size_t>(shape.count()), value)};
}

const std::string kQ = "down_blocks.1.attentions.0.transformer_blocks.0.attn1.to_q";
const std::string kUnetQ = "unet." + kQ;
const std::string kPeftQ = "base_model.model." + kQ;

/// A LoRA of rank 2 on a weight [64, 64].
std::vector<Stored> lora(const std::string& module = kUnetQ) {
  return {filled(module + ".lora_A.weight", {2, 64}), filled(module + ".lora_B.weight", {64, 2})};
}
std::vector<Stored> with(std::vector<Stored> tensors, std::initializer_list<Stored> more) {
  tensors.insert(tensors.end(), more);
  return tensors;
}

class AdapterRefusals : public testing::Test {
 protected:
  AdapterRefusals()
      : demo_(WeightSource::open(fs::path(MANTISSA_SOURCE_DIR) /
                                 "resources/demo/mini-sdxl.safetensors")),
        fused_(WeightSource::open(fs::path(MANTISSA_TEST_DATA) /
                                  "golden/models/z_image_base.safetensors")) {}

  fs::path write(const std::vector<Stored>& tensors, const fs::path& name = "x.safetensors",
                 const std::map<std::string, std::string>& metadata = {}) const {
    std::vector<TensorToWrite> list;
    for (const Stored& t : tensors) {
      list.push_back({t.name, DType::f32, t.shape, t.values.data(), {}});
    }
    fs::create_directories((folder_ / name).parent_path());
    write_safetensors(folder_ / name, list, metadata);
    return folder_ / name;
  }
  /// A PEFT folder of the denoiser with these fields over a plain LoraConfig's.
  fs::path peft(const json& fields, const std::vector<Stored>& tensors = lora(kPeftQ)) const {
    json config{{"peft_type", "LORA"}, {"r", 2}, {"lora_alpha", 2}, {"init_lora_weights", true}};
    config.update(fields);
    write(tensors, "peft/adapter_model.safetensors");
    std::ofstream(folder_ / "peft/adapter_config.json") << config;
    return folder_ / "peft";
  }
  void reads(const fs::path& path, std::optional<DoraAxis> axis = {}) const {
    EXPECT_NO_THROW(read_adapter(path, demo_, axis)) << path;
  }
  /// The refusal of `path`, whose template is noted; it names the file.
  std::string refusal(const fs::path& path, std::optional<DoraAxis> axis = {},
                      const WeightSource* base = nullptr) {
    try {
      read_adapter(path, base == nullptr ? demo_ : *base, axis);
    } catch (const Error& error) {
      met_.insert(error.message().source());
      EXPECT_EQ(exit_code(error.kind()), 2) << error.what();
      EXPECT_NE(std::string(error.what()).find(path.stem().string()), std::string::npos)
          << error.what();
      return error.what();
    }
    ADD_FAILURE() << "read: " << path;
    return {};
  }
  void says(const std::string& text, std::initializer_list<const char*> parts) const {
    for (const char* part : parts) {
      EXPECT_NE(text.find(part), std::string::npos) << part << "\nis not in\n" << text;
    }
  }

  void names();
  void files();
  void shapes();
  void doras();
  void biases();
  void configs();

  test::TempFolder folder_;
  WeightSource demo_, fused_;
  std::set<std::string> met_;
};

void AdapterRefusals::names() {
  says(refusal(fs::path(MANTISSA_SOURCE_DIR) / "resources/demo/mini-sdxl.safetensors"),
       {"whole model", "mantissa extract"});
  says(refusal(write(with(lora(), {filled("something.else", {4})}))),
       {"something.else", "Save the adapter without it"});
  reads(write(lora()));
  for (const char* key : {"modelspec.architecture", "ss_base_model_version"}) {
    says(refusal(write(lora(), "x.safetensors", {{key, "Chroma/lora"}})),
         {"Chroma", key, "adapter for SDXL"});
    reads(write(lora(), "x.safetensors", {{key, "flux-1-dev/lora"}}));
  }
  says(refusal(write(
           with(lora(), {filled("unet.distilled_guidance_layer.in_proj.lora_A.weight", {2, 64})}))),
       {"Chroma", "it has 'unet.distilled_guidance_layer"});
  says(refusal(write(lora("base_model.model.encoder.layers.0.self_attn.q_proj"))),
       {"must lie in a folder text_encoder"});
  write({filled("base_model.model.text_model.encoder.layers.0.self_attn.q_proj.lora_A.weight",
                {2, 32}),
         filled("base_model.model.text_model.encoder.layers.0.self_attn.q_proj.lora_B.weight",
                {32, 2})},
        "folder/text_encoder/adapter_model.safetensors");
  reads(folder_ / "folder");
  says(refusal(write(lora("unet.down_blocks.7.proj"))), {"down_blocks.7", "another base model"});
  const std::vector<Message> notices =
      read_adapter(write({filled(kUnetQ + ".lokr_w1", {8, 8}), filled(kUnetQ + ".lokr_w2", {8, 8}),
                          filled(kUnetQ + ".alpha", {}, std::numeric_limits<float>::infinity())}),
                   demo_)
          .notices;
  ASSERT_EQ(notices.size(), 1U);
  met_.insert(notices[0].source());
  says(refusal(write(with(lora(), {filled("unet.x.oft_blocks", {2, 2, 2})}))),
       {"OFT", "oft_blocks", "mantissa extract"});
  says(refusal(write({filled("single_blocks.0.processor.qkv_lora.down.weight", {2, 64}),
                      filled("single_blocks.0.processor.qkv_lora.up.weight", {192, 2})})),
       {"single_blocks.0.processor.qkv_lora", "x-labs", "mantissa extract"});
  const std::vector<Stored> two = {
      filled(kUnetQ + ".lora_A.one.weight", {2, 64}),
      filled(kUnetQ + ".lora_B.one.weight", {64, 2}),
      filled("unet.mid_block.attentions.0.proj_in.lora_A.two.weight", {2, 64})};
  says(refusal(write(two)), {"one", "two", "Save one of them alone"});
  reads(write({two[0], two[1]}));
  const WeightSource swapped =
      WeightSource::open(fs::path(MANTISSA_TEST_DATA) / "golden/models/flux2_base.safetensors");
  const Shape exit = swapped.shape(kDenoiser, "norm_out.linear.weight");
  std::vector<Stored> both;
  for (const std::string module :
       {"transformer.norm_out.linear", "diffusion_model.final_layer.adaLN_modulation.1"}) {
    both.push_back(filled(module + ".lora_A.weight", {2, exit[1]}));
    both.push_back(filled(module + ".lora_B.weight", {exit[0], 2}));
  }
  says(refusal(write(both), {}, &swapped), {"under two names", "Remove one"});
  says(refusal(
           write(with(lora(), {filled("lora_unet_down_blocks_1_attentions_0_transformer_blocks_0_"
                                      "attn1_to_q.lora_down.weight",
                                      {2, 64}, 0.5F)}))),
       {"name the same tensor"});
  const std::string qkv = "diffusion_model.layers.1.attention.qkv",
                    q = "transformer.layers.1.attention.to_q";
  const Shape whole = fused_.shape(kDenoiser, "layers.1.attention.to_q.weight");
  const std::vector<Stored> shared = {filled(qkv + ".lora_A.weight", {2, whole[1]}),
                                      filled(qkv + ".lora_B.weight", {3 * whole[0], 2})};
  const fs::path doubled = write(with(shared, {filled(q + ".lora_A.weight", {2, whole[1]}),
                                               filled(q + ".lora_B.weight", {whole[0], 2})}));
  says(refusal(doubled, {}, &fused_), {"once fused and once alone", "Remove one"});
  EXPECT_NO_THROW(read_adapter(write(shared), fused_));
}

void AdapterRefusals::files() {
  fs::create_directories(folder_ / "empty");
  says(refusal(folder_ / "empty"), {"adapter_model.safetensors", "give one"});
  says(refusal(write({filled("emb_params", {1, 64})})), {"embedding", "give an adapter"});
  says(refusal(write({})), {"holds no LoRA"});
  says(refusal(write(with(lora(), {filled("bundle_emb.word.string_to_param.*", {1, 64})}))),
       {"bundle_emb", "without embeddings"});
  reads(write(lora()));
  std::vector<Stored> nan = lora();
  nan[1].values[7] = std::numeric_limits<float>::quiet_NaN();
  says(refusal(write(nan)), {"1 of 128", "lora_B.weight", "earlier save"});
}

void AdapterRefusals::shapes() {
  says(refusal(write({lora()[1]})), {"no down matrix", "incomplete"});
  says(refusal(write({lora()[0]})), {"no up matrix", "incomplete"});
  says(
      refusal(write({filled(kUnetQ + ".hada_w1_a", {64, 2}), filled(kUnetQ + ".hada_w1_b", {2, 64}),
                     filled(kUnetQ + ".hada_w2_a", {64, 2})})),
      {"hada_w2_b", "incomplete"});
  says(refusal(write({filled(kUnetQ + ".lora_A.weight", {64}), lora()[1]})), {"expected a matrix"});
  says(refusal(
           write({filled(kUnetQ + ".hada_w1_a", {64, 2}), filled(kUnetQ + ".hada_w1_b", {3, 64}),
                  filled(kUnetQ + ".hada_w2_a", {64, 2}), filled(kUnetQ + ".hada_w2_b", {2, 64})})),
       {"don't fit each other"});
  says(refusal(write({lora()[0], filled(kUnetQ + ".lora_B.weight", {64, 3})})), {"[rank, in]"});
  says(refusal(write(with(lora(), {filled(kUnetQ + ".alpha", {2})}))), {"must be one number"});
  const std::vector<std::uint8_t> bytes(2 * 64);
  const std::vector<float> up(128);
  write_safetensors(
      folder_ / "u8.safetensors",
      std::vector<TensorToWrite>{{kUnetQ + ".lora_A.weight", DType::u8, {2, 64}, bytes.data(), {}},
                                 {kUnetQ + ".lora_B.weight", DType::f32, {64, 2}, up.data(), {}}});
  says(refusal(folder_ / "u8.safetensors"), {"U8", "floating-point"});
}

void AdapterRefusals::doras() {
  const auto dora = [&](const Shape& shape) {
    return with(lora(), {filled(kUnetQ + ".dora_scale", shape, 1)});
  };
  says(refusal(write(dora({3, 1}))), {"fits neither"});
  says(refusal(write(dora({64}))), {"--dora-axis output", "--dora-axis input"});
  reads(write(dora({64})), DoraAxis::output);
  reads(write(dora({64})), DoraAxis::input);
  const std::string k = "unet.down_blocks.1.attentions.0.transformer_blocks.0.attn2.to_k";
  says(refusal(write({filled(k + ".lora_A.weight", {2, 32}), filled(k + ".lora_B.weight", {64, 2}),
                      filled(k + ".dora_scale", {32}, 1)},
                     "x.safetensors", {{"mantissa.dora_axis", "output"}})),
       {"per output", "64"});
}

void AdapterRefusals::biases() {
  const std::vector<Stored> lacking = with(lora(), {filled(kUnetQ + ".lora_B.bias", {64})});
  says(refusal(write(lacking)), {"to_q.bias", "the base model lacks", "without biases"});
  reads(write({lacking[0], lacking[1]}));
  reads(write(with(lora(), {filled(kUnetQ + ".lora_B.bias", {64}, 0)})));
  const std::string norm = "unet.down_blocks.1.attentions.0.transformer_blocks.0.norm1";
  says(refusal(write({filled(norm + ".diff", {63})})), {"63", "64", "another base model"});
}

void AdapterRefusals::configs() {
  says(refusal(peft({{"peft_type", "BOFT"}})), {"BOFT", "mantissa extract"});
  says(refusal(peft({{"use_qalora", true}})), {"use_qalora", "QA-LoRA", "mantissa extract"});
  for (const auto& [field, value] :
       std::initializer_list<std::pair<const char*, json>>{{"lora_alpha", "8"},
                                                           {"lora_alpha", nullptr},
                                                           {"lora_alpha", true},
                                                           {"r", 2.5},
                                                           {"r", 0},
                                                           {"r", nullptr},
                                                           {"peft_type", 3},
                                                           {"use_rslora", "false"},
                                                           {"use_dora", 1},
                                                           {"rank_pattern", {{"to_q", "4"}}},
                                                           {"alpha_pattern", {4}},
                                                           {"init_lora_weights", 0}}) {
    says(refusal(peft({{field, value}})), {field, "type"});
  }
  says(refusal(peft({{"use_dora", true}})), {"use_dora", "lora_magnitude_vector"});
  says(refusal(peft({{"init_lora_weights", "loftq"}})), {"loftq", "mantissa extract"});
  says(refusal(peft({{"init_lora_weights", "pissa_niter_4"}})),
       {"pissa_niter_4", "path_initial_model_for_weight_conversion", "mantissa extract"});
  // What PEFT saves with that path has a plain start and twice the rank.
  reads(peft(
      {{"init_lora_weights", true}, {"r", 4}},
      {filled(kPeftQ + ".lora_A.weight", {4, 64}), filled(kPeftQ + ".lora_B.weight", {64, 4})}));
  const fs::path whole = peft(json::object());
  EXPECT_TRUE(read_adapter(whole, demo_).notices.empty());
  fs::remove(whole / "adapter_config.json");
  const std::vector<Message> notices = read_adapter(whole, demo_).notices;
  ASSERT_EQ(notices.size(), 1U);
  met_.insert(notices[0].source());
  EXPECT_NE(notices[0].text().find("adapter_config.json"), std::string::npos);
  says(refusal(peft({{"alpha_pattern", {{"(a", 3}}}})), {"(a", "invalid"});
  says(refusal(peft({{"alpha_pattern", {{std::string(5000, 'a'), 3}}}})), {"at most"});
  says(refusal(peft({{"alpha_pattern", {{"(([a-z_0-9.]+)+)+t", 3}}}})),
       {"without nested repetitions"});
  reads(peft({{"alpha_pattern", {{"[a-z_0-9.]+t", 3}}}}));
}

TEST_F(AdapterRefusals, WhatAConfigLeavesOutIsPeftsDefault) {
  const fs::path folder = peft(json::object());
  const auto alpha_of = [&](const json& config) {
    std::ofstream(folder / "adapter_config.json") << config;
    const AdapterModule module = read_adapter(folder, demo_, {}).modules.at(0);
    return module.alpha / module.rank;
  };
  EXPECT_DOUBLE_EQ(alpha_of({{"peft_type", "LORA"}}), 8 / 2.0);
  EXPECT_DOUBLE_EQ(alpha_of({{"peft_type", "LORA"}, {"lora_alpha", 3}}), 3 / 2.0);
  EXPECT_DOUBLE_EQ(alpha_of({{"peft_type", "LORA"}, {"use_rslora", true}}), 8 / std::sqrt(2.0));
}

TEST_F(AdapterRefusals, AreTrueAndWhatTheySayHelps) {
  names();
  files();
  shapes();
  doras();
  biases();
  configs();
  for (const char* source : kReaders) {
    for (const std::string& one : templates_of(source)) {
      EXPECT_TRUE(met_.contains(one)) << source << ": no input leads to\n" << one;
    }
  }
}

}  // namespace
}  // namespace mantissa
