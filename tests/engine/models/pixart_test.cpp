// PixArt and T5 against diffusers, transformers and PEFT in float64 (tests/golden/make_pixart.py).
#include "engine/models/pixart/pixart.h"

#include <cmath>
#include <fstream>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sstream>

#include "engine/adapters/trained_set.h"
#include "engine/core/error.h"
#include "engine/graph/ops.h"
#include "engine/io/module_path.h"
#include "engine/io/t5_tokenizer.h"
#include "engine/models/pixart/pixart_family.h"
#include "engine/models/t5/t5.h"
#include "kernels/cpu/cpu.h"
#include "tests/engine/models/support.h"

namespace mantissa {
namespace {

using namespace testing_support;

constexpr double kForward = 1e-5;
constexpr double kGradient = 1e-4;

std::vector<float> masks(const std::vector<std::int32_t>& ids, std::int64_t rows) {
  std::vector<float> all;
  const std::size_t tokens = ids.size() / static_cast<std::size_t>(rows);
  for (std::size_t r = 0; r < static_cast<std::size_t>(rows); ++r) {
    const std::vector<float> row = text_mask(std::span(ids).subspan(r * tokens, tokens), 1);
    all.insert(all.end(), row.begin(), row.end());
  }
  return all;
}

struct Case {
  const char* name;
  const char* model;
  const char* reference;
  bool text;
};

/// One PixArt, with its T5 if it has one, and a graph over the reference's inputs.
class Pixart : public ::testing::TestWithParam<Case> {
 protected:
  Pixart()
      : kernels_(make_cpu_kernels(2)),
        source_(WeightSource::open(golden_model(GetParam().model))),
        reference_(GetParam().reference),
        weights_(*kernels_, source_),
        arena_(*kernels_) {}

  Scope scope(Part part, AdapterSet* adapters = nullptr) { return {weights_, adapters, part}; }
  Value input(const std::string& name, DType dtype = DType::f32) {
    return graph_.input(name, dtype, reference_.shape(name));
  }
  Value t5(const T5Encoder& model, const std::string& ids) {
    const Shape shape = reference_.shape(ids);
    return model.forward(graph_, input(ids, DType::i32),
                         graph_.input("mask:" + ids, DType::f32, shape),
                         graph_.input("buckets", DType::i32, {shape[1], shape[1]}));
  }
  Value predict(const PixartTransformer& model, Value latents, Value text) {
    const Shape s = latents.shape();
    const std::int64_t patches = s[1] * s[2] / 4;
    PixartInputs in;
    in.timesteps = input("timesteps");
    in.text = text;
    const std::string mask = "mask:text_ids";
    in.text_mask = graph_.inputs().contains(mask)
                       ? Value(&graph_, graph_.inputs().at(mask))
                       : graph_.input(mask, DType::f32, reference_.shape("text_ids"));
    if (reference_.has("sizes")) {
      in.sizes = input("sizes");
    }
    in.columns = graph_.input("columns", DType::f32, {patches});
    in.rows = graph_.input("rows", DType::f32, {patches});
    return model.forward(graph_, latents, in);
  }
  std::map<std::string, std::vector<float>> run(bool reuse = true) {
    const Plan plan = make_plan(graph_, {.reuse = reuse});
    Executor executor(graph_, plan, *kernels_, arena_);
    for (const auto& [name, id] : graph_.inputs()) {
      const View view = executor.input(name);
      if (name == "buckets") {
        write_ids(view, t5_relative_buckets(view.shape[0], t5_config(source_, kTe1)));
      } else if (name.starts_with("mask:")) {
        write(view, masks(reference_.ids(name.substr(5)), view.shape[0]));
      } else if (name == "columns" || name == "rows") {
        const Shape latents = reference_.shape("latents");
        const auto grid = pixart_grid(latents[1], latents[2], pixart_config(source_));
        write(view, name == "columns" ? grid.first : grid.second);
      } else if (name == "signal" || name == "sigma") {
        std::vector<float> factors;
        for (float t : reference_.values("timesteps")) {
          double product = 1;
          for (int i = 0; i <= static_cast<int>(t); ++i) {
            product *= 1 - (1e-4 + i / 999.0 * (0.02 - 1e-4));
          }
          factors.push_back(
              static_cast<float>(std::sqrt(name == "signal" ? product : 1 - product)));
        }
        write(view, factors);
      } else if (name == "weight") {
        write(view, std::vector<float>(static_cast<std::size_t>(view.count()), 1.0F));
      } else if (view.dtype == DType::i32) {
        write_ids(view, reference_.ids(name));
      } else {
        write(view, reference_.values(name));
      }
    }
    executor.run({});
    std::map<std::string, std::vector<float>> results;
    for (const auto& [name, id] : graph_.outputs()) {
      results[name] = read(executor.output(name));
    }
    return results;
  }

  std::unique_ptr<Kernels> kernels_;
  WeightSource source_;
  Reference reference_;
  WeightStore weights_;
  Graph graph_;
  Arena arena_;
};

TEST_P(Pixart, Forward) {
  EXPECT_EQ(source_.family().id(), ModelFamily("pixart"));
  EXPECT_TRUE(source_.unknown().empty()) << source_.unknown().front();
  const PixartTransformer model(pixart_config(source_), scope(kDenoiser));
  graph_.output("prediction", predict(model, input("latents"), input("text")));
  const auto got = run();
  EXPECT_EQ(got, run(false)) << "the memory plan changes values";
  const double error = relative_error(got.at("prediction"), reference_.values("prediction"));
  RecordProperty("error", std::to_string(error));
  EXPECT_LE(error, kForward);
}

class PixartText : public Pixart {};

TEST_P(PixartText, T5Forward) {
  const T5Encoder model(t5_config(source_, kTe1), scope(kTe1));
  graph_.output("hidden", t5(model, "t5.ids"));
  const double error = relative_error(run().at("hidden"), reference_.values("t5.hidden"));
  RecordProperty("error", std::to_string(error));
  EXPECT_LE(error, kForward);
}

void check_gradients(const Reference& reference, const TrainedSet& adapters) {
  ASSERT_FALSE(adapters.tensors().empty());
  double worst = 0;
  for (const AdapterTensor& tensor : adapters.tensors()) {
    const double error = relative_error(adapters.gradient(*tensor.tensor),
                                        reference.raw("grad." + traced_path(tensor.name)));
    EXPECT_LE(error, kGradient) << tensor.name;
    worst = std::max(worst, error);
  }
  ::testing::Test::RecordProperty("worst gradient", std::to_string(worst));
  EXPECT_EQ(adapters.tensors().size(), reference.below("grad.").size());
}

class PixartTraining : public Pixart {
 protected:
  void check(bool checkpointing) {
    const bool text = GetParam().text;
    std::vector<Part> parts{kDenoiser};
    if (text) {
      parts.push_back(kTe1);
    }
    TrainedSet adapters(*kernels_, lora_preset({"attention+mlp"}, 4, 2, 6, parts), kPixart);
    const PixartTransformer model(pixart_config(source_), scope(kDenoiser, &adapters));
    std::optional<T5Encoder> encoder;
    if (text) {
      encoder.emplace(t5_config(source_, kTe1), scope(kTe1, &adapters));
    }
    adapters.finalize(7);
    std::map<std::string, std::vector<float>> state;
    for (const std::string& name : reference_.below("adapter.")) {
      state[canonical_path(name)] = reference_.raw("adapter." + name);
    }
    adapters.load(state);

    const Value context = text ? t5(*encoder, "text_ids") : input("text");
    const Shape batch{2};
    const Value noisy =
        add_noise(input("latents"), input("noise"), graph_.input("signal", DType::f32, batch),
                  graph_.input("sigma", DType::f32, batch));
    const Value prediction = slice_channels(predict(model, noisy, context), 0, 4);
    const Loss loss =
        mse_loss(prediction, input("target"), graph_.input("weight", DType::f32, batch));
    graph_.output("prediction", prediction);
    graph_.output("loss", loss.loss);
    graph_.backward(loss.loss, checkpointing);
    const auto got = run();
    EXPECT_LE(relative_error(got.at("prediction"), reference_.values("prediction_lora")), kForward);
    EXPECT_LE(relative_error(got.at("loss"), reference_.values("loss")), kForward);
    check_gradients(reference_, adapters);
  }
};

TEST_P(PixartTraining, LoraGradients) {
  check(false);
}

TEST_P(PixartTraining, LoraGradientsWithCheckpointing) {
  check(true);
}

const Case kAlpha{"alpha", "pixart", "pixart.safetensors", true};
const Case kSigma{"sigma", "pixart_sigma.safetensors", "pixart_sigma.safetensors", false};
const auto kCaseName = [](const auto& info) { return std::string(info.param.name); };
INSTANTIATE_TEST_SUITE_P(Golden, Pixart, ::testing::Values(kAlpha, kSigma), kCaseName);
INSTANTIATE_TEST_SUITE_P(Golden, PixartText, ::testing::Values(kAlpha), kCaseName);
INSTANTIATE_TEST_SUITE_P(Golden, PixartTraining, ::testing::Values(kAlpha, kSigma), kCaseName);

/// "name<TAB>a,b" rows of tests/golden/keys, under "denoiser.".
std::map<std::string, std::string> key_table(const char* file) {
  std::ifstream in(std::filesystem::path(MANTISSA_TEST_DATA) / "golden/keys" / file);
  std::map<std::string, std::string> rows;
  for (std::string line; std::getline(in, line);) {
    const std::size_t tab = line.find('\t');
    if (line[0] != '#' && tab != std::string::npos) {
      rows["denoiser." + line.substr(0, tab)] = line.substr(tab + 1);
    }
  }
  return rows;
}

std::int64_t check_names(const WeightStore& store, const std::map<std::string, std::string>& want) {
  std::map<std::string, std::string> bound;
  std::int64_t parameters = 0;
  for (const auto& [path, shape] : store.bound()) {
    std::string text = shape.str();
    std::erase_if(text, [](char c) { return c == '[' || c == ']' || c == ' '; });
    bound[path] = text;
    parameters += shape.count();
  }
  EXPECT_EQ(bound, want);
  return parameters;
}

TEST(PixartBinding, FullSizeNamesAndShapes) {
  PixartConfig sigma;
  WeightStore sigma_store = WeightStore::planning();
  const PixartTransformer sigma_model(sigma, Scope(sigma_store, nullptr, kDenoiser));
  EXPECT_EQ(check_names(sigma_store, key_table("pixart_sigma.tsv")), 610'856'096);
  EXPECT_EQ(sigma_store.bound().size(), 603U);

  PixartConfig alpha;
  alpha.additional_conditions = true;
  WeightStore alpha_store = WeightStore::planning();
  const PixartTransformer alpha_model(alpha, Scope(alpha_store, nullptr, kDenoiser));
  EXPECT_EQ(check_names(alpha_store, key_table("pixart_alpha1024.tsv")), 611'349'152);
  EXPECT_EQ(alpha_store.bound().size(), 611U);
}

TEST(PixartBinding, T5XxlNamesAndShapes) {
  std::map<std::string, std::string> want{
      {"te1.shared.weight", "32128,4096"},
      {"te1.encoder.final_layer_norm.weight", "4096"},
      {"te1.encoder.block.0.layer.0.SelfAttention.relative_attention_bias.weight", "32,64"}};
  for (int i = 0; i < 24; ++i) {
    const std::string block = "te1.encoder.block." + std::to_string(i) + ".layer.";
    for (const char* name : {"q", "k", "v", "o"}) {
      want[block + "0.SelfAttention." + name + ".weight"] = "4096,4096";
    }
    want[block + "0.layer_norm.weight"] = want[block + "1.layer_norm.weight"] = "4096";
    want[block + "1.DenseReluDense.wi_0.weight"] = "10240,4096";
    want[block + "1.DenseReluDense.wi_1.weight"] = "10240,4096";
    want[block + "1.DenseReluDense.wo.weight"] = "4096,10240";
  }
  WeightStore store = WeightStore::planning();
  const T5Encoder model(T5Config{}, Scope(store, nullptr, kTe1));
  EXPECT_EQ(check_names(store, want), 4'762'310'656);
  EXPECT_EQ(store.bound().size(), 219U);
}

TEST(PixartBinding, AdapterTargets) {
  TrainedSet adapters =
      TrainedSet::planning(lora_preset({"attention"}, 4, 4, 4, {kDenoiser, kTe1}), kPixart);
  WeightStore store = WeightStore::planning();
  const PixartTransformer model(PixartConfig{}, Scope(store, &adapters, kDenoiser));
  const T5Encoder text(T5Config{}, Scope(store, &adapters, kTe1));
  EXPECT_EQ(adapters.adapters().size(), 28U * 8 + 24U * 4);
  TrainedSet wide =
      TrainedSet::planning(lora_preset({"attention+mlp"}, 4, 4, 4, {kDenoiser, kTe1}), kPixart);
  WeightStore second = WeightStore::planning();
  const PixartTransformer model2(PixartConfig{}, Scope(second, &wide, kDenoiser));
  const T5Encoder text2(T5Config{}, Scope(second, &wide, kTe1));
  EXPECT_EQ(wide.adapters().size(), 28U * 10 + 24U * 7);
}

/// The tiny T5's output with feed-forward weights so large that the output of `wo` exceeds fp16's
/// range, under these precision settings.
std::vector<float> overflowing_t5(const Preset::Precision& settings) {
  const auto kernels = make_cpu_kernels(1);
  const WeightSource source = WeightSource::open(golden_model("pixart"));
  const PrecisionRules rules(settings);
  WeightStore weights(*kernels, source, /*map_files=*/false);
  const T5Config config = t5_config(source, kTe1);
  const T5Encoder model(config, Scope(weights, nullptr, kTe1, &rules));
  const auto enlarge = [&](const std::string& name, float factor) {
    const std::string path = "te1.encoder.block.0.layer.1.DenseReluDense." + name;
    const std::string wo = "wo";
    const DType dtype = rules.of(path, ModuleKind::linear).storage;
    Tensor& t = weights.frozen(path + ".weight",
                               name == wo ? Shape{config.hidden, config.intermediate}
                                          : Shape{config.intermediate, config.hidden},
                               dtype);
    kernels->scale(t.view(), factor, t.view());
  };
  enlarge("wi_0", 32);
  enlarge("wi_1", 32);
  enlarge("wo", 32);
  const Reference reference("pixart.safetensors");
  const Shape shape = reference.shape("t5.ids");
  const std::vector<std::int32_t> ids = reference.ids("t5.ids");
  Graph graph;
  graph.output("hidden", model.forward(graph, graph.input("ids", DType::i32, shape),
                                       graph.input("mask", DType::f32, shape),
                                       graph.input("buckets", DType::i32, {shape[1], shape[1]})));
  const Plan plan = make_plan(graph);
  Arena arena(*kernels);
  Executor executor(graph, plan, *kernels, arena);
  write_ids(executor.input("ids"), ids);
  write(executor.input("mask"), masks(ids, shape[0]));
  write_ids(executor.input("buckets"), t5_relative_buckets(shape[1], config));
  executor.run({});
  return read(executor.output("hidden"));
}

TEST(T5Precision, Fp16StaysFiniteBecauseWoIsPinned) {
  const auto all_finite = [](const std::vector<float>& values) {
    return std::all_of(values.begin(), values.end(), [](float v) { return std::isfinite(v); });
  };
  const std::vector<float> full = overflowing_t5({});
  ASSERT_TRUE(all_finite(full));
  Preset::Precision half;
  half.compute = ComputeType::fp16;
  half.weights.text_encoders = StorageType::fp16;
  const std::vector<float> pinned = overflowing_t5(half);
  EXPECT_TRUE(all_finite(pinned));
  EXPECT_LE(relative_error(pinned, full), 0.02);
  // Removing the pin brings the overflow back.
  half.pins["*.DenseReluDense.wo"] = StorageType::fp16;
  EXPECT_FALSE(all_finite(overflowing_t5(half)));
}

TEST(T5Buckets, FollowTheFormula) {
  const std::vector<std::int32_t> ids = t5_relative_buckets(200, T5Config{});
  const auto bucket = [&](int query, int key) {
    return ids[static_cast<std::size_t>(query * 200 + key)];
  };
  EXPECT_EQ(bucket(5, 5), 0);
  EXPECT_EQ(bucket(5, 4), 1);
  EXPECT_EQ(bucket(5, 6), 17);
  EXPECT_EQ(bucket(100, 92), 8);    // the first of the logarithmic ones
  EXPECT_EQ(bucket(100, 116), 26);  // ln(16/8)/ln(16)·8 = 2
  EXPECT_EQ(bucket(100, 68), 12);   // ln(32/8)/ln(16)·8 = 4
  EXPECT_EQ(bucket(199, 0), 15);
  EXPECT_EQ(bucket(0, 199), 31);
}

TEST(T5Tokenizer, GivesTheIdsOfSentencePiece) {
  const T5Tokenizer tokenizer = T5Tokenizer::from_folder(golden_model("pixart") / "tokenizer");
  std::ifstream file(std::filesystem::path(MANTISSA_TEST_DATA) / "golden/reference" /
                     "pixart_tokens.json");
  const nlohmann::json golden = nlohmann::json::parse(file);
  ASSERT_EQ(golden["prompts"].size(), 4U);
  for (std::size_t i = 0; i < golden["prompts"].size(); ++i) {
    const auto ids = golden["ids"][i].get<std::vector<std::int32_t>>();
    const auto prompt = golden["prompts"][i].get<std::string>();
    EXPECT_EQ(tokenizer.encode(prompt), ids) << prompt;
    const std::vector<std::int32_t> padded = tokenizer.encode_padded(prompt, 12, 0, 1);
    ASSERT_EQ(padded.size(), 12U);
    for (std::size_t k = 0; k < 12; ++k) {
      const std::size_t end = std::min<std::size_t>(ids.size(), 11);
      EXPECT_EQ(padded[k], k < end ? ids[k] : k == end ? 1 : 0) << prompt << " at " << k;
    }
  }
}

TEST(T5Tokenizer, CaptionsAreLowerCaseAndTrimmed) {
  EXPECT_EQ(lower_trimmed("  A Red ÄPFEL Ψ \n"), "a red äpfel ψ");
  EXPECT_EQ(lower_trimmed(" \t "), "");
  EXPECT_EQ(lower_trimmed("A\xff"
                          "B"),
            "a\xef\xbf\xbd"
            "b");
}

TEST(T5Tokenizer, NamesWhatIsWrong) {
  const auto folder = std::filesystem::temp_directory_path() / "mantissa_t5_tokenizer_test";
  std::filesystem::create_directories(folder);
  std::filesystem::remove(folder / "spiece.model");
  try {
    T5Tokenizer::from_folder(folder);
    FAIL() << "a missing file was taken";
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("neither spiece.model nor tokenizer.json"),
              std::string::npos)
        << e.what();
  }
  std::ofstream(folder / "spiece.model") << "no model";
  EXPECT_THROW(T5Tokenizer::from_folder(folder), Error);
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace mantissa
