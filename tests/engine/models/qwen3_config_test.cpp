// What a Qwen3 text encoder's files are recognised as, and what is wrong with broken ones.
#include <cmath>
#include <gtest/gtest.h>
#include <map>
#include <nlohmann/json.hpp>

#include "engine/adapters/trained_set.h"
#include "engine/io/safetensors.h"
#include "engine/models/qwen3/qwen3.h"
#include "engine/models/qwen3/qwen3_inputs.h"
#include "tests/engine/models/qwen3_support.h"
#include "tests/test_util.h"

namespace mantissa {
namespace {

using namespace testing_support;
using nlohmann::json;

const std::string kSeparateHead = "qwen3_a.safetensors", kOldConfig = "qwen3_b.safetensors",
                  kNoConfig = "qwen3_c.safetensors";

/// A golden model's file with some tensors left out, renamed or added.
class Qwen3File {
 public:
  explicit Qwen3File(const std::string& model) : file_(SafetensorsFile::open(golden_model(model))) {
    for (const TensorInfo& tensor : file_.tensors()) {
      add(tensor.name, tensor);
    }
  }
  void remove(const std::string& name) { tensors_.erase(name); }
  /// A copy of `model`.
  void copy(const std::string& model, const std::string& name) { add(name, *file_.find(model)); }
  template <typename F>
  void rename(F&& to) {
    std::map<std::string, TensorToWrite> renamed;
    for (auto& [name, tensor] : tensors_) {
      tensor.name = to(name);
      renamed.emplace(tensor.name, tensor);
    }
    tensors_ = std::move(renamed);
  }
  /// Its text encoder, with this config or none.
  WeightSource open(const test::TempFolder& folder, const json& config = nullptr) const {
    std::vector<TensorToWrite> list;
    for (const auto& [name, tensor] : tensors_) {
      list.push_back(tensor);
    }
    std::map<std::string, std::string> metadata;
    if (!config.is_null()) {
      metadata["mantissa.config"] = json{{"te1", config}}.dump();
    }
    write_safetensors(folder / "qwen3.safetensors", list, metadata);
    return open_qwen3(folder / "qwen3.safetensors");
  }

 private:
  void add(const std::string& name, const TensorInfo& tensor) {
    tensors_[name] = {name, *tensor.type, tensor.shape(), tensor.data, {}};
  }
  SafetensorsFile file_;
  std::map<std::string, TensorToWrite> tensors_;
};

json qwen3_json_of(const std::string& model) {
  const SafetensorsFile file = SafetensorsFile::open(golden_model(model));
  return json::parse(file.metadata().at("mantissa.config")).at("te1");
}

TEST(Qwen3Config, BothFormsOfTransformersAreRead) {
  const Qwen3Config a = qwen3_config(open_qwen3(golden_model(kSeparateHead)), kTe1);
  const Qwen3Config wanted_a{.vocab = 67,
                             .hidden = 32,
                             .layers = 3,
                             .intermediate = 40,
                             .heads = 4,
                             .key_heads = 4,
                             .head_dim = 12};
  EXPECT_EQ(a, wanted_a);
  const Qwen3Config b = qwen3_config(open_qwen3(golden_model(kOldConfig)), kTe1);
  const Qwen3Config wanted_b{.vocab = 62,
                             .hidden = 24,
                             .layers = 5,
                             .intermediate = 56,
                             .heads = 4,
                             .key_heads = 2,
                             .head_dim = 20,
                             .norm_eps = 1e-5,
                             .rope_theta = 1e4};
  EXPECT_EQ(b, wanted_b);
}

TEST(Qwen3Config, IsDetectedWithoutAConfig) {
  const WeightSource source = open_qwen3(golden_model(kNoConfig));
  Qwen3Config wanted{.vocab = 80,
                     .hidden = 40,
                     .layers = 4,
                     .intermediate = 72,
                     .heads = 6,
                     .key_heads = 2,
                     .head_dim = 8};
  EXPECT_EQ(qwen3_config(source, kTe1), wanted);
  wanted.rope_theta = kQwen3VlTheta;
  EXPECT_EQ(qwen3_config(source, kTe1, kQwen3VlTheta), wanted);
}

TEST(Qwen3Config, NamesOfEveryFormAreTheSameWeights) {
  const std::vector<std::string> usual = open_qwen3(golden_model(kSeparateHead)).names(kTe1);
  for (const char* prefix :
       {"", "model.language_model.", "language_model.", "language_model.model.", "model."}) {
    const test::TempFolder folder;
    Qwen3File file(kSeparateHead);
    file.copy("model.norm.weight", "model.visual.blocks.0.norm1.weight");
    file.copy("model.norm.weight", "visual.merger.norm.weight");
    file.rename([&](const std::string& name) {
      std::string_view rest = name;
      const bool text = rest.starts_with("model.") && name.find("visual") == std::string::npos;
      return text ? prefix + name.substr(6) : name;
    });
    const WeightSource source = file.open(folder);
    EXPECT_EQ(source.names(kTe1), usual) << prefix;
    EXPECT_TRUE(source.unknown().empty()) << prefix << ": " << source.unknown().front();
  }
  EXPECT_FALSE(qwen3_weight(kTe1, "encoder.block.0.layer.0.SelfAttention.q.weight"));
  EXPECT_FALSE(qwen3_weight(kTe1, "text_model.embeddings.token_embedding.weight"));
}

TEST(Qwen3Config, BrokenFilesAreNamed) {
  const std::string first = "model.layers.0.self_attn.";
  const struct {
    const char* removed;
    const char* added;
    std::vector<std::string> texts;
  } cases[] = {
      {"model.layers.0.self_attn.q_norm.weight", nullptr, {"q_norm", "no Qwen3 text encoder"}},
      {"model.layers.0.mlp.gate_proj.weight", nullptr, {"gate_proj", "no Qwen3 text encoder"}},
      {nullptr, "model.layers.0.self_attn.q_proj.bias", {"q_proj.bias", "biases"}},
      {"model.layers.2.input_layernorm.weight", nullptr, {"num_hidden_layers", "3", "2"}},
      {"model.embed_tokens.weight", nullptr, {"model.embed_tokens.weight", "lacks"}},
  };
  for (const auto& c : cases) {
    const test::TempFolder folder;
    Qwen3File file(kSeparateHead);
    if (c.removed != nullptr) {
      file.remove(c.removed);
    }
    if (c.added != nullptr) {
      file.copy("model.norm.weight", c.added);
    }
    const WeightSource source = file.open(folder, qwen3_json_of(kSeparateHead));
    for (const std::string& text : c.texts) {
      test::expect_error_with([&] { qwen3_config(source, kTe1); }, {text});
    }
  }
}

TEST(Qwen3Config, ConfigsOfOtherModelsAreNoticed) {
  const std::pair<const char*, int> cases[] = {
      {"vocab_size", 68},         {"hidden_size", 36},        {"intermediate_size", 44},
      {"num_attention_heads", 8}, {"num_key_value_heads", 2}, {"head_dim", 8},
  };
  for (const auto& [field, value] : cases) {
    const test::TempFolder folder;
    json config = qwen3_json_of(kSeparateHead);
    config[field] = value;
    const WeightSource source = Qwen3File(kSeparateHead).open(folder, config);
    test::expect_error_with([&] { qwen3_config(source, kTe1); },
                            {field, std::to_string(value), "another model"});
  }
}

TEST(Qwen3Binding, FullSizeNamesAndAdapters) {
  WeightStore store = WeightStore::planning();
  TrainedSet adapters =
      TrainedSet::planning(lora_preset({"attention+mlp"}, 4, 4, 4, {kTe1}), kQwen3Alone);
  const Qwen3Text whole(Qwen3Config{}, Scope(store, &adapters, kTe1), {36});
  std::int64_t parameters = 0;
  for (const auto& [path, shape] : store.bound()) {
    parameters += shape.count();
  }
  EXPECT_EQ(store.bound().size(), 398U);
  EXPECT_EQ(parameters, 4'022'468'096);  // Qwen3-4B, embeddings tied
  EXPECT_EQ(adapters.adapters().size(), 36U * 7);

  WeightStore part = WeightStore::planning();
  const Qwen3Text klein(Qwen3Config{}, Scope(part, nullptr, kTe1), {9, 18, 27});
  EXPECT_EQ(part.bound().size(), 1U + 27 * 11);
  EXPECT_EQ(klein.width(), 7680);
}

TEST(Qwen3Inputs, TablesAndKeyMask) {
  const Qwen3Config config{.head_dim = 4};
  const RotaryTables tables = qwen3_tables(config, std::vector<double>{0, 2});
  EXPECT_EQ(tables.pairs, 2);
  EXPECT_FLOAT_EQ(tables.cos[2], std::cos(2.0F));
  EXPECT_FLOAT_EQ(tables.sin[3], std::sin(2.0F / 1000));  // θ^(-2/4) of 10⁶
  const std::vector<std::uint8_t> real{1, 0, 1};
  EXPECT_EQ(qwen3_key_mask(real), (std::vector<float>{0, kMaskedKey, 0}));
}

}  // namespace
}  // namespace mantissa
