// Z-Image against diffusers and PEFT in float64 (tests/golden/make_z_image.py).
#include "engine/models/z_image/z_image.h"

#include <cmath>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "engine/graph/ops.h"
#include "engine/models/z_image/z_image_family.h"
#include "kernels/cpu/cpu.h"
#include "tests/engine/models/support.h"

namespace mantissa {
namespace {

using namespace testing_support;

constexpr double kForward = 1e-5;
constexpr double kGradient = 1e-4;

struct Case {
  const char* name;
  const char* model;
};

/// One Z-Image and a graph over a reference's inputs: captions of different lengths in one batch,
/// against diffusers' result for each of them alone.
class ZImage : public ::testing::TestWithParam<Case> {
 protected:
  ZImage()
      : kernels_(make_cpu_kernels(2)),
        source_(WeightSource::open(golden_model(GetParam().model))),
        weights_(*kernels_, source_),
        arena_(*kernels_) {}

  static Reference reference(const std::string& kind = "") {
    return Reference(std::string(GetParam().name) + kind + ".safetensors");
  }
  /// The pipeline's prediction: the transformer's output, negated.
  Value predict(const ZImageTransformer& model, Value latents, const Reference& r) {
    const auto input = [&](const char* name) {
      return graph_.input(name, DType::f32, r.shape(name));
    };
    positions_ = z_image_positions(latents.shape()[1], latents.shape()[2], r.shape("text")[1],
                                   model.config());
    const auto n = static_cast<std::int64_t>(positions_.grid.size() / 2);
    const auto pairs = static_cast<std::int64_t>(positions_.frequencies.size() / 3);
    ZImageInputs in;
    in.times = graph_.input("times", DType::f32, r.shape("timesteps"));
    in.text = input("text");
    in.layout = input("layout");
    in.order = graph_.input("order", DType::f32, {2, n});
    in.grid = graph_.input("grid", DType::f32, {latents.shape()[0], n, 2});
    in.frequencies = graph_.input("frequencies", DType::f32, {3, pairs});
    return scale(model.forward(graph_, latents, in), -1.0F);
  }
  std::vector<float> fed(const std::string& name, const Reference& r) const {
    std::vector<float> values = r.has(name) ? r.values(name) : std::vector<float>();
    const auto of_timesteps = [&](auto&& of) {
      for (const float t : r.values("timesteps")) {
        values.push_back(static_cast<float>(of(static_cast<double>(t) / 1000)));
      }
    };
    if (name == "order") {
      values = positions_.order;
    } else if (name == "grid") {
      for (std::int64_t b = 0; b < r.shape("latents")[0]; ++b) {
        values.insert(values.end(), positions_.grid.begin(), positions_.grid.end());
      }
    } else if (name == "frequencies") {
      values = positions_.frequencies;
    } else if (name == "times" || name == "signal") {
      of_timesteps([](double level) { return 1 - level; });
    } else if (name == "sigma") {
      of_timesteps([](double level) { return level; });
    } else if (name == "weight") {
      of_timesteps([](double) { return 1.0; });
    }
    return values;
  }
  std::map<std::string, std::vector<float>> run(const Reference& r, bool reuse = true) {
    const Plan plan = make_plan(graph_, {.reuse = reuse});
    Executor executor(graph_, plan, *kernels_, arena_);
    for (const auto& [name, id] : graph_.inputs()) {
      write(executor.input(name), fed(name, r));
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
  WeightStore weights_;
  Graph graph_;
  Arena arena_;
  ZImagePositions positions_;
};

TEST_P(ZImage, EachSampleIsWhatItWouldBeAlone) {
  EXPECT_EQ(source_.family().id, ModelFamily::z_image);
  EXPECT_TRUE(source_.unknown().empty()) << source_.unknown().front();
  const Reference r = reference();
  const ZImageTransformer model(z_image_config(source_), Scope(weights_, nullptr, kDenoiser));
  graph_.output("prediction",
                predict(model, graph_.input("latents", DType::f32, r.shape("latents")), r));
  const auto got = run(r);
  EXPECT_EQ(got, run(r, false)) << "the memory plan changes values";
  const double error = relative_error(got.at("prediction"), r.values("prediction"));
  std::printf("forward, relative error %.2e\n", error);
  EXPECT_LE(error, kForward);
}

class ZImageTraining : public ZImage {
 protected:
  void check(AdapterType type, bool checkpointing) {
    const Reference r = reference(type == AdapterType::dora ? "_dora" : "_lora");
    Preset preset = lora_preset({"attention+mlp"}, 3, 3, 5);
    preset.adapter.type = type;
    preset.adapter.dora_axis = DoraAxis::output;
    AdapterSet adapters(*kernels_, preset, kZImage);
    const ZImageTransformer model(z_image_config(source_), Scope(weights_, &adapters, kDenoiser));
    adapters.finalize(7);
    std::map<std::string, std::vector<float>> state;
    for (const std::string& name : r.below("adapter.")) {
      state[name] = r.raw("adapter." + name);
    }
    adapters.load(state);
    const auto input = [&](const char* name) {
      return graph_.input(name, DType::f32, r.shape(name));
    };
    const Shape batch{2};
    const Value noisy =
        add_noise(input("latents"), input("noise"), graph_.input("signal", DType::f32, batch),
                  graph_.input("sigma", DType::f32, batch));
    const Value prediction = predict(model, noisy, r);
    const MseLoss loss =
        mse_loss(prediction, input("target"), graph_.input("weight", DType::f32, batch));
    graph_.output("prediction", prediction);
    graph_.output("loss", loss.loss);
    graph_.backward(loss.loss, checkpointing);
    const auto got = run(r);
    EXPECT_LE(relative_error(got.at("prediction"), r.values("prediction")), kForward);
    EXPECT_LE(relative_error(got.at("loss"), r.values("loss")), kForward);
    check_gradients(r, adapters);
  }
  static void check_gradients(const Reference& r, const AdapterSet& adapters) {
    ASSERT_FALSE(adapters.tensors().empty());
    double worst = 0;
    for (const AdapterTensor& tensor : adapters.tensors()) {
      const double error =
          relative_error(adapters.gradient(*tensor.tensor), r.raw("grad." + tensor.name));
      EXPECT_LE(error, kGradient) << tensor.name;
      worst = std::max(worst, error);
    }
    EXPECT_EQ(adapters.tensors().size(), r.below("grad.").size());
    std::printf("%zu gradients, worst relative error %.2e\n", adapters.tensors().size(), worst);
  }
};

TEST_P(ZImageTraining, LoraGradients) {
  check(AdapterType::lora, false);
}

TEST_P(ZImageTraining, LoraGradientsWithCheckpointing) {
  check(AdapterType::lora, true);
}

TEST_P(ZImageTraining, DoraGradients) {
  check(AdapterType::dora, false);
}

TEST_P(ZImageTraining, DoraGradientsWithCheckpointing) {
  check(AdapterType::dora, true);
}

const Case kFolder{"z_image", "z_image"};
const Case kOriginal{"z_image_base", "z_image_base.safetensors"};
const Case kBare{"z_image_bare", "z_image_bare.safetensors"};
const auto kCaseName = [](const auto& info) { return std::string(info.param.name); };
INSTANTIATE_TEST_SUITE_P(Golden, ZImage, ::testing::Values(kFolder, kOriginal, kBare), kCaseName);
INSTANTIATE_TEST_SUITE_P(Golden, ZImageTraining, ::testing::Values(kFolder, kOriginal, kBare),
                         kCaseName);

}  // namespace
}  // namespace mantissa
