// An autoencoder's step against PyTorch in float64 (tests/golden/make_full.py): loss and the
// gradient of every weight.
#include "engine/models/vae/vae_loss.h"

#include <array>
#include <cmath>
#include <gtest/gtest.h>

#include "engine/adapters/trained_set.h"
#include "engine/graph/ops.h"
#include "engine/io/json_file.h"
#include "kernels/cpu/cpu.h"
#include "tests/engine/models/support.h"

namespace mantissa {
namespace {

using namespace testing_support;

/// As in make_full.py, NHWC.
std::vector<float> sines(const Shape& shape, double step, double start) {
  std::vector<float> values;
  for (std::int64_t i = 0; i < shape.count(); ++i) {
    values.push_back(static_cast<float>(std::sin(step * static_cast<double>(i) + start)));
  }
  return values;
}

std::array<double, 5> fingerprint(const std::vector<float>& g) {
  double squares = 0, wave = 0;
  for (std::size_t i = 0; i < g.size(); ++i) {
    squares += static_cast<double>(g[i]) * g[i];
    wave += g[i] * std::cos(static_cast<double>(i));
  }
  return {std::sqrt(squares), wave, g.front(), g[g.size() / 2], g.back()};
}

Preset vae_preset() {
  Preset preset;
  preset.training.method = TrainingMethod::full;
  preset.training.parts = {kVae};
  return preset;
}

/// The model a's VAE with trained weights, and its step.
class VaeStep {
 public:
  explicit VaeStep(bool checkpointing, float kl_weight = 0.1F)
      : source_(WeightSource::open(golden_model("a.safetensors"))),
        adapters_(*kernels_, vae_preset(), source_.family()),
        model_(kernels_.get(), source_, &adapters_),
        arena_(*kernels_) {
    model_.bind(model_.training_parts(vae_preset()));
    adapters_.finalize(7, {},
                       [this](const std::string& path) { return model_.weights().values(path); });
    const Shape image{2, 16, 24, 3}, noise{2, 8, 12, 4};
    const VaeLoss loss = vae_loss(graph_, model_.vae(), graph_.input("image", DType::f32, image),
                                  graph_.input("noise", DType::f32, noise), kl_weight);
    graph_.output("loss", loss.loss);
    graph_.output("pixels", loss.pixels);
    graph_.output("squares", loss.squares);
    graph_.output("edges", loss.edges);
    graph_.output("divergence", loss.divergence);
    graph_.backward(loss.loss, checkpointing);
    plan_ = make_plan(graph_);
    executor_ = std::make_unique<Executor>(graph_, plan_, *kernels_, arena_);
    adapters_.zero_gradients();
    executor_->feed("image", sines(image, 0.7, 0.1));
    executor_->feed("noise", sines(noise, 1.3, 0.5));
    executor_->run({});
  }
  float value(const char* name) const { return executor_->output(name).as<float>()[0]; }
  const TrainedSet& adapters() const { return adapters_; }

 private:
  std::unique_ptr<Kernels> kernels_ = make_cpu_kernels(2);
  WeightSource source_;
  TrainedSet adapters_;
  StableDiffusion model_;
  Graph graph_;
  Plan plan_;
  Arena arena_;
  std::unique_ptr<Executor> executor_;
};

class VaeLossTest : public ::testing::TestWithParam<bool> {};

TEST_P(VaeLossTest, GradientOfEveryWeightMatchesPyTorch) {
  const nlohmann::json want =
      read_json(std::filesystem::path(MANTISSA_TEST_DATA) / "golden/reference/a_full_vae.json");
  const VaeStep step(GetParam());
  for (const char* name : {"pixels", "squares", "edges", "divergence", "loss"}) {
    const double expected = want.at(name).get<double>();
    EXPECT_NEAR(step.value(name), expected, 1e-5 * expected) << name;
  }
  EXPECT_EQ(step.adapters().tensors().size(), want.at("gradients").size());
  for (const AdapterTensor& tensor : step.adapters().tensors()) {
    const auto expected = want.at("gradients").at(tensor.name).get<std::array<double, 5>>();
    const std::array<double, 5> got = fingerprint(read(tensor.tensor->grad_view()));
    for (std::size_t i = 0; i < got.size(); ++i) {
      // A key bias shifts all scores equally: its gradient is 0, here up to rounding.
      EXPECT_NEAR(got[i], expected[i], 1e-4 * expected[0] + 1e-7) << tensor.name << " " << i;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Checkpointing, VaeLossTest, ::testing::Bool());

TEST(VaeLoss, TheDivergenceCountsByItsWeight) {
  const VaeStep without(false, 0), with(false, 0.1F);
  EXPECT_FLOAT_EQ(without.value("loss"), without.value("pixels") +
                                             kSquareWeight * without.value("squares") +
                                             kEdgeWeight * without.value("edges"));
  EXPECT_NEAR(with.value("loss") - without.value("loss"), 0.1F * with.value("divergence"), 1e-6);
  EXPECT_GT(with.value("divergence"), 0.01F);
}

}  // namespace
}  // namespace mantissa
