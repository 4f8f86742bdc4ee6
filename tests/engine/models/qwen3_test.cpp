// Qwen3 against transformers and PEFT in float64 (tests/golden/make_qwen3.py).
#include "engine/models/qwen3/qwen3.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <numeric>

#include "engine/adapters/trained_set.h"
#include "engine/core/error.h"
#include "engine/io/module_path.h"
#include "engine/models/qwen3/qwen3_inputs.h"
#include "kernels/cpu/cpu.h"
#include "tests/engine/models/qwen3_support.h"

namespace mantissa {
namespace {

using namespace testing_support;

constexpr double kForward = 1e-5;
constexpr double kGradient = 1e-4;

struct Case {
  const char* name;
  int layers;
  Qwen3Positions positions = Qwen3Positions::all;
};

double rms(const std::vector<float>& values) {
  double sum = 0;
  for (const float v : values) {
    sum += static_cast<double>(v) * v;
  }
  return std::sqrt(sum / static_cast<double>(values.size()));
}

/// RMS of the difference over the RMS of the reference.
double deviation(std::vector<float> got, const std::vector<float>& want) {
  for (std::size_t i = 0; i < got.size(); ++i) {
    got[i] -= want.at(i);
  }
  return rms(got) / rms(want);
}

/// One tiny Qwen3 and a graph over its reference's texts.
class Qwen3 : public ::testing::TestWithParam<Case> {
 protected:
  Qwen3()
      : kernels_(make_cpu_kernels(2)),
        name_("qwen3_" + std::string(GetParam().name)),
        source_(open_qwen3(golden_model(name_ + ".safetensors"))),
        reference_(name_ + ".safetensors"),
        weights_(*kernels_, source_, /*map_files=*/false),
        config_(qwen3_config(source_, kTe1)),
        arena_(*kernels_) {}

  Scope scope(const PrecisionRules* rules = nullptr, AdapterSet* adapters = nullptr) {
    return {weights_, adapters, kTe1, rules};
  }
  Value record(const Qwen3Text& model) {
    const Shape shape = reference_.shape("ids");
    return model.forward(
        *graph_, qwen3_inputs(*graph_, "te1", config_, shape[0], shape[1], GetParam().positions));
  }
  Value record_real() { return graph_->input("te1_real", DType::f32, reference_.shape("ids")); }
  std::vector<std::uint8_t> real() const {
    const std::vector<std::int32_t> stored = reference_.ids("real");
    return {stored.begin(), stored.end()};
  }
  std::map<std::string, std::vector<float>> run(bool reuse = true) {
    const Plan plan = make_plan(*graph_, {.reuse = reuse});
    Executor executor(*graph_, plan, *kernels_, arena_);
    feed_qwen3(executor, "te1", config_, reference_.ids("ids"), real(), GetParam().positions);
    for (const char* name : {"target", "weight"}) {
      if (executor.has_input(name)) {
        const bool ones = std::string(name) == "weight";
        write(executor.input(name), ones ? std::vector<float>(3, 1.0F) : reference_.values(name));
      }
    }
    executor.run({});
    std::map<std::string, std::vector<float>> results;
    for (const auto& [name, id] : graph_->outputs()) {
      results[name] = read(executor.output(name));
    }
    return results;
  }
  /// The reference's states side by side.
  std::vector<float> states(const std::vector<int>& wanted) const {
    std::vector<float> all;
    const Shape shape = reference_.shape("hidden.0");
    const auto width = static_cast<std::size_t>(shape[2]);
    for (std::size_t row = 0; row < static_cast<std::size_t>(shape.rows()); ++row) {
      for (const int state : wanted) {
        const std::vector<float> one = reference_.values("hidden." + std::to_string(state));
        all.insert(all.end(), one.begin() + static_cast<std::ptrdiff_t>(row * width),
                   one.begin() + static_cast<std::ptrdiff_t>((row + 1) * width));
      }
    }
    return all;
  }

  std::unique_ptr<Kernels> kernels_;
  std::string name_;
  WeightSource source_;
  Reference reference_;
  WeightStore weights_;
  Qwen3Config config_;
  std::unique_ptr<Graph> graph_ = std::make_unique<Graph>();
  Arena arena_;
};

TEST_P(Qwen3, EveryHiddenState) {
  EXPECT_TRUE(source_.unknown().empty()) << source_.unknown().front();
  ASSERT_EQ(config_.layers, GetParam().layers);
  std::vector<int> all(static_cast<std::size_t>(config_.layers) + 1);
  std::iota(all.begin(), all.end(), 0);
  const Qwen3Text model(config_, scope(), all);
  graph_->output("states", record(model));
  const auto got = run();
  EXPECT_EQ(got, run(false)) << "the memory plan changes values";
  const double error = relative_error(got.at("states"), states(all));
  RecordProperty("error", std::to_string(error));
  EXPECT_LE(error, kForward);
}

TEST_P(Qwen3, ChosenStatesInTheirOrder) {
  const std::vector<int> wanted{2, 0, config_.layers - 1};
  const Qwen3Text model(config_, scope(), wanted);
  EXPECT_EQ(model.width(), 3 * config_.hidden);
  graph_->output("states", record(model));
  EXPECT_LE(relative_error(run().at("states"), states(wanted)), kForward);
}

TEST_P(Qwen3, LoadsNoLayerBeyondTheLastState) {
  const int last = config_.layers - 1;
  const Qwen3Text model(config_, scope(), {last});
  for (const auto& [path, shape] : weights_.bound()) {
    EXPECT_FALSE(path.starts_with("te1.model.layers." + std::to_string(last))) << path;
    EXPECT_NE(path, "te1.model.norm.weight");
  }
  EXPECT_EQ(weights_.bound().size(), 1U + 11U * static_cast<std::size_t>(last));
  graph_->output("states", record(model));
  EXPECT_LE(relative_error(run().at("states"), states({last})), kForward);
}

// For a card whose memory holds neither the encoder nor a large part of it.
TEST_P(Qwen3, StreamedLayersGiveTheSameBits) {
  const std::vector<int> wanted{1, config_.layers};
  for (const StorageType storage : {StorageType::bf16, StorageType::fp8_e4m3}) {
    Preset::Precision settings;
    settings.weights.text_encoders = storage;
    const PrecisionRules rules(settings);
    std::vector<float> results[2];
    std::size_t bytes[2]{};
    for (const bool streamed : {false, true}) {
      WeightStore weights(*kernels_, source_);
      if (streamed) {
        std::set<std::string> paths;
        for (const std::string& name : source_.names(kTe1)) {
          if (name.find("_proj.") != std::string::npos) {
            paths.insert("te1." + name);
          }
        }
        weights.stream(std::move(paths));
      }
      const Qwen3Text model(config_, Scope(weights, nullptr, kTe1, &rules), wanted);
      bytes[streamed ? 1 : 0] = weights.bytes(kTe1);
      graph_ = std::make_unique<Graph>();
      graph_->output("states", record(model));
      results[streamed ? 1 : 0] = run().at("states");
      graph_.reset();
      weights.release(kTe1);
      EXPECT_EQ(weights.bytes(), 0U);
    }
    EXPECT_EQ(results[0], results[1]) << enum_name(storage);
    EXPECT_LT(bytes[1], bytes[0] / 2) << enum_name(storage);
  }
}

TEST_P(Qwen3, PaddingIsZeroAndDoesNotMatter) {
  const Qwen3Text model(config_, scope(), {config_.layers});
  graph_->output("states", zero_padding(record(model), record_real()));
  const std::vector<float> got = run().at("states");
  std::vector<float> want = states({config_.layers});
  const std::vector<std::uint8_t> kept = real();
  const std::size_t width = want.size() / kept.size();
  for (std::size_t i = 0; i < want.size(); ++i) {
    want[i] *= kept[i / width];
    if (kept[i / width] == 0) {
      ASSERT_EQ(got[i], 0) << i;
    }
  }
  EXPECT_LE(relative_error(got, want), kForward);
}

TEST_P(Qwen3, Bf16DeviatesNoMoreThanTorch) {
  Preset::Precision settings;
  settings.compute = ComputeType::bf16;
  settings.weights.text_encoders = StorageType::bf16;
  const PrecisionRules rules(settings);
  const Qwen3Text model(config_, scope(&rules), {config_.layers - 1, config_.layers});
  const Value states = record(model);
  EXPECT_EQ(states.dtype(), DType::f32);
  for (int i = 0; i < 2; ++i) {
    graph_->output(std::to_string(i), slice_channels(states, i * config_.hidden, config_.hidden));
  }
  const auto got = run();
  for (int i = 0; i < 2; ++i) {
    const std::string state = std::to_string(config_.layers - 1 + i);
    const double own = deviation(got.at(std::to_string(i)), reference_.values("hidden." + state));
    const double torch = reference_.metadata("bf16." + state);
    RecordProperty("state" + state + " / torch", std::to_string(own / torch));
    EXPECT_LE(own, 1.2 * torch) << state;
    EXPECT_GT(own, 0.05 * torch) << "computed in FP32?";
  }
}

TEST_P(Qwen3, OtherStorageAndComputeTypes) {
  struct Choice {
    ComputeType compute;
    StorageType storage;
    double tolerance;
  };
  for (const Choice& choice : {Choice{ComputeType::fp32, StorageType::bf16, 0.01},
                               Choice{ComputeType::fp16, StorageType::fp16, 0.004},
                               Choice{ComputeType::bf16, StorageType::fp8_e4m3, 0.1},
                               Choice{ComputeType::fp8, StorageType::fp8_e4m3, 0.1}}) {
    Preset::Precision settings;
    settings.compute = choice.compute;
    settings.weights.text_encoders = choice.storage;
    const PrecisionRules rules(settings);
    const Qwen3Text model(config_, scope(&rules), {config_.layers - 1});
    graph_ = std::make_unique<Graph>();
    graph_->output("states", record(model));
    const double error = deviation(run().at("states"), states({config_.layers - 1}));
    RecordProperty(
        std::string(enum_name(choice.compute)) + "/" + std::string(enum_name(choice.storage)),
        std::to_string(error));
    EXPECT_LE(error, choice.tolerance) << enum_name(choice.storage);
  }
}

// Outliers as in the trained model, where they are the output of a few layers' down_proj: BF16
// holds them, FP16 doesn't, which is why families with this encoder set bf16_native.
TEST_P(Qwen3, OutliersOverflowFp16Only) {
  std::vector<float> full;
  for (const ComputeType compute : {ComputeType::fp32, ComputeType::bf16, ComputeType::fp16}) {
    Preset::Precision settings;
    settings.compute = compute;
    settings.weights.text_encoders = StorageType::fp32;
    const PrecisionRules rules(settings);
    WeightStore weights(*kernels_, source_, /*map_files=*/false);
    const Qwen3Text model(config_, Scope(weights, nullptr, kTe1, &rules), {config_.layers - 1});
    const Shape wide{config_.intermediate, config_.hidden}, back{config_.hidden, wide[0]};
    for (const char* name : {"gate_proj", "up_proj", "down_proj"}) {
      const View view = weights
                            .frozen("te1.model.layers.0.mlp." + std::string(name) + ".weight",
                                    std::string(name) == "down_proj" ? back : wide, DType::f32)
                            .view();
      kernels_->scale(view, 128, view);
    }
    graph_ = std::make_unique<Graph>();
    graph_->output("states", record(model));
    const std::vector<float> got = run().at("states");
    const bool finite =
        std::all_of(got.begin(), got.end(), [](float v) { return std::isfinite(v); });
    EXPECT_EQ(finite, compute != ComputeType::fp16);
    if (compute == ComputeType::fp32) {
      full = got;
      EXPECT_GT(*std::max_element(full.begin(), full.end()), 65504.0F);
    } else if (finite) {
      EXPECT_LE(deviation(got, full), 0.02);
    }
  }
}

TEST_P(Qwen3, StatesThatDoNotExistAreNamed) {
  try {
    const Qwen3Text model(config_, scope(), {config_.layers + 1});
    FAIL() << "a state after the last layer was taken";
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("hidden state " + std::to_string(config_.layers + 1)),
              std::string::npos)
        << e.what();
  }
}

class Qwen3Training : public Qwen3 {
 protected:
  void check(bool checkpointing) {
    TrainedSet adapters(*kernels_, lora_preset({"attention+mlp"}, 4, 4, 6, {kTe1}), kQwen3Alone);
    const Qwen3Text model(config_, scope(nullptr, &adapters), {2, 4});
    adapters.finalize(7);
    std::map<std::string, std::vector<float>> state;
    for (const std::string& name : reference_.below("adapter.")) {
      state[canonical_path(name)] = reference_.raw("adapter." + name);
    }
    adapters.load(state);
    const Value trained = zero_padding(record(model), record_real());
    const Loss loss =
        mse_loss(trained, graph_->input("target", DType::f32, reference_.shape("target")),
                 graph_->input("weight", DType::f32, {3}));
    graph_->output("trained", trained);
    graph_->output("loss", loss.loss);
    graph_->backward(loss.loss, checkpointing);
    const auto got = run();
    EXPECT_LE(relative_error(got.at("trained"), reference_.values("trained")), kForward);
    EXPECT_LE(relative_error(got.at("loss"), reference_.values("loss")), kForward);
    EXPECT_EQ(adapters.tensors().size(), reference_.below("grad.").size());
    double worst = 0;
    for (const AdapterTensor& tensor : adapters.tensors()) {
      worst = std::max(worst, relative_error(adapters.gradient(*tensor.tensor),
                                             reference_.raw("grad." + traced_path(tensor.name))));
    }
    RecordProperty("worst gradient", std::to_string(worst));
    EXPECT_LE(worst, kGradient);
  }
};

TEST_P(Qwen3Training, LoraGradients) {
  check(false);
}

TEST_P(Qwen3Training, LoraGradientsWithCheckpointing) {
  check(true);
}

const Case kA{"a", 3}, kB{"b", 5}, kC{"c", 4, Qwen3Positions::real};
const auto kCaseName = [](const auto& info) { return std::string(info.param.name); };
INSTANTIATE_TEST_SUITE_P(Golden, Qwen3, ::testing::Values(kA, kB, kC), kCaseName);
INSTANTIATE_TEST_SUITE_P(Golden, Qwen3Training, ::testing::Values(kB), kCaseName);

}  // namespace
}  // namespace mantissa
