// Gradients of every adapter type and loss curves against PEFT and LyCORIS in float64
// (tests/golden/make_models.py, make_dora.py, make_products.py).
#include <algorithm>
#include <array>
#include <cmath>
#include <gtest/gtest.h>
#include <optional>

#include "engine/adapters/trained_set.h"
#include "engine/graph/ops.h"
#include "engine/io/json_file.h"
#include "engine/io/module_path.h"
#include "engine/preset/names.h"
#include "kernels/cpu/cpu.h"
#include "tests/engine/models/support.h"

namespace mantissa {
namespace {

using namespace testing_support;

constexpr double kForward = 1e-5;
constexpr double kGradient = 1e-4;

/// One adapted model and a recorded training step over given latents, noise and text.
class Step {
 public:
  struct Options {
    std::vector<std::string> targets;
    std::vector<Part> parts{kDenoiser};
    int rank = 4, conv_rank = 2;
    double alpha = 6;
    float dropout = 0;
    std::optional<DoraAxis> dora;
    AdapterType type = AdapterType::lora;
    bool checkpointing = false, reuse = true;
    bool full = false;  ///< the weights themselves are trained
    int threads = 2;
  };

  Step(const std::string& model, const Options& options)
      : options_(options),
        kernels_(make_cpu_kernels(options.threads)),
        source_(WeightSource::open(golden_model(model))),
        adapters_(*kernels_, preset(options), source_.family()),
        model_(kernels_.get(), source_, &adapters_),
        arena_(*kernels_) {
    model_.bind(options.parts);
    adapters_.finalize(7, {},
                       [this](const std::string& path) { return model_.weights().values(path); });
  }

  TrainedSet& adapters() { return adapters_; }
  Kernels& kernels() { return *kernels_; }
  Executor& executor() { return *executor_; }

  void load(const Reference& reference, const std::string& prefix) {
    std::map<std::string, std::vector<float>> state;
    for (const std::string& name : reference.below(prefix)) {
      state[canonical_path(name)] = reference.raw(prefix + name);
    }
    adapters_.load(state);
  }

  /// `text`: the context comes from the text encoders, so that they train too.
  void record(const Reference& r, const std::string& prefix, bool text = false) {
    const auto f32 = [&](const char* name) {
      return graph_.input(name, DType::f32, r.shape(prefix + name));
    };
    Value context, pooled;
    if (text) {
      const Shape ids = r.shape("te1.ids");
      const Value positions = graph_.input("positions", DType::i32, ids);
      const ClipOutput first =
          model_.te1().forward(graph_, graph_.input("te1.ids", DType::i32, ids), positions);
      const ClipOutput second =
          model_.te2().forward(graph_, graph_.input("te2.ids", DType::i32, ids), positions,
                               graph_.input("pool", DType::i32, {ids[0]}));
      context = concat_channels(first.hidden, second.hidden);
      pooled = second.pooled;
    } else {
      context = f32("context");
      pooled = f32("pooled");
    }
    const Value latents = f32("latents");
    const Shape batch{latents.shape()[0]};
    const Value noisy = add_noise(latents, f32("noise"), graph_.input("signal", DType::f32, batch),
                                  graph_.input("sigma", DType::f32, batch));
    const Value prediction =
        model_.unet().forward(graph_, noisy, f32("timesteps"), context, pooled, f32("time_ids"));
    const Loss loss =
        mse_loss(prediction, f32("target"), graph_.input("weight", DType::f32, batch));
    graph_.output("prediction", prediction);
    graph_.output("loss", loss.loss);
    graph_.backward(loss.loss, options_.checkpointing);
    if (options_.full) {
      keep_key_gradients();
    }
    plan_ = make_plan(graph_, {.reuse = options_.reuse});
    executor_ = std::make_unique<Executor>(graph_, plan_, *kernels_, arena_);
  }

  void feed(const Reference& r, const std::string& prefix) {
    for (const char* name :
         {"latents", "noise", "timesteps", "context", "pooled", "time_ids", "target"}) {
      if (executor_->has_input(name)) {
        write(executor_->input(name), r.values(prefix + name));
      }
    }
    std::vector<float> signal, sigma, weight;
    for (float t : r.values(prefix + "timesteps")) {
      const NoiseLevel level = noise_level(static_cast<int>(t));
      signal.push_back(static_cast<float>(level.signal));
      sigma.push_back(static_cast<float>(level.noise));
      weight.push_back(1.0F);
    }
    write(executor_->input("signal"), signal);
    write(executor_->input("sigma"), sigma);
    write(executor_->input("weight"), weight);
    if (executor_->has_input("te1.ids")) {
      const std::vector<std::int32_t> ids = r.ids("te2.ids");
      const Shape shape = r.shape("te2.ids");
      std::vector<std::int32_t> pool;
      for (std::int64_t b = 0; b < shape[0]; ++b) {
        pool.push_back(
            clip_pool_index(std::span(ids).subspan(static_cast<std::size_t>(b * shape[1]),
                                                   static_cast<std::size_t>(shape[1])),
                            model_.te2_config().eos_id));
      }
      write_ids(executor_->input("te1.ids"), r.ids("te1.ids"));
      write_ids(executor_->input("te2.ids"), ids);
      write_ids(executor_->input("pool"), pool);
      write_ids(executor_->input("positions"), clip_position_ids(shape[0], shape[1]));
    }
  }

  void run(const RunContext& context = {}) { executor_->run(context); }
  float loss() const { return executor_->output("loss").as<float>()[0]; }
  std::vector<float> all_gradients() const {
    std::vector<float> all;
    for (const AdapterBuffer& buffer : adapters_.buffers()) {
      const std::vector<float> some = read(buffer.gradients);
      all.insert(all.end(), some.begin(), some.end());
    }
    return all;
  }
  std::vector<float> gradient(const AdapterTensor& tensor) const {
    return read(tensor.tensor->grad_view());
  }
  const Plan& plan() const { return plan_; }

  /// For the keys of the attention of module `path`: the number of tokens of all samples, and per
  /// channel the sum of |gradient| over them. A key bias's gradient is the same sum without
  /// absolute values. Empty if the loss doesn't depend on that attention.
  std::pair<std::int64_t, std::vector<double>> key_gradient_sizes(const std::string& path) {
    if (!graph_.outputs().contains(kKeyGradient + path)) {
      return {0, {}};
    }
    const View d_k = executor_->output(kKeyGradient + path);
    const std::vector<float> values = executor_->read(kKeyGradient + path);
    std::vector<double> sizes(static_cast<std::size_t>(d_k.cols()));
    for (std::size_t i = 0; i < values.size(); ++i) {
      sizes[i % sizes.size()] += std::fabs(static_cast<double>(values[i]));
    }
    return {static_cast<std::int64_t>(values.size() / sizes.size()), sizes};
  }

 private:
  static constexpr const char* kKeyGradient = "d_k of ";
  void keep_key_gradients() {
    const std::size_t count = graph_.nodes().size();
    for (std::size_t i = 0; i < count; ++i) {
      const Node& node = graph_.nodes()[i];
      if (node.phase == Phase::forward && std::string_view(node.op->name()) == "attention") {
        if (const Value d_k = graph_.gradient(Value(&graph_, node.inputs.at(1)))) {
          graph_.output(
              kKeyGradient + graph_.values()[static_cast<std::size_t>(node.outputs[0])].path, d_k);
        }
      }
    }
  }
  static Preset preset(const Options& o) {
    Preset p = lora_preset(o.targets, o.rank, o.conv_rank, o.alpha, o.parts);
    p.adapter.dropout = static_cast<double>(o.dropout);
    p.adapter.type = o.type;
    p.training.method = o.full ? TrainingMethod::full : TrainingMethod::adapter;
    if (o.dora) {
      p.adapter.decompose = is_product(o.type);
      p.adapter.type = is_product(o.type) ? o.type : AdapterType::dora;
      p.adapter.dora_axis = *o.dora;
    }
    return p;
  }
  Options options_;
  std::unique_ptr<Kernels> kernels_;
  WeightSource source_;
  TrainedSet adapters_;
  StableDiffusion model_;
  Graph graph_;
  Plan plan_;
  Arena arena_;
  std::unique_ptr<Executor> executor_;
};

/// [norm, sum of g[i]·cos(i), first, middle, last] of a gradient, as in make_full.py.
std::array<double, 5> fingerprint(const std::vector<float>& g) {
  double squares = 0, wave = 0;
  for (std::size_t i = 0; i < g.size(); ++i) {
    squares += static_cast<double>(g[i]) * g[i];
    wave += g[i] * std::cos(static_cast<double>(i));
  }
  return {std::sqrt(squares), wave, g.front(), g[g.size() / 2], g.back()};
}

class FullTraining : public ::testing::TestWithParam<bool> {};

/// The fp32 residue of n cancelling terms, relative to the sum of |terms|: half an ulp for each
/// term and each addition (Higham, Accuracy and Stability of Numerical Algorithms, 4.4).
double cancelled(std::int64_t n) {
  return static_cast<double>(n) * 0x1p-24;
}

TEST_P(FullTraining, GradientOfEveryWeightMatchesPyTorch) {
  const Reference r("a_lora_text.safetensors");
  const nlohmann::json want =
      read_json(std::filesystem::path(MANTISSA_TEST_DATA) / "golden/reference/a_full.json");
  Step::Options o;
  o.full = true;
  o.parts = {kDenoiser, kTe1, kTe2};
  o.checkpointing = GetParam();
  Step step("a.safetensors", o);
  step.record(r, "", true);
  step.feed(r, "");
  step.run();
  EXPECT_NEAR(step.loss(), want.at("loss").get<double>(), kForward * step.loss());
  EXPECT_EQ(step.adapters().tensors().size(), want.at("gradients").size());
  int key_biases = 0;
  for (const AdapterTensor& tensor : step.adapters().tensors()) {
    const auto expected =
        want.at("gradients").at(traced_path(tensor.name)).get<std::array<double, 5>>();
    const std::vector<float> gradient = step.gradient(tensor);
    // A key bias shifts all scores of a query equally, which softmax ignores: its gradient is 0, a
    // sum of cancelling terms. Rounding leaves a fraction of them.
    if (const std::size_t at = tensor.name.find(".k_proj.bias"); at != std::string::npos) {
      EXPECT_LE(expected[0], 1e-15) << "fp64 knows it";
      const auto [terms, sizes] = step.key_gradient_sizes(tensor.name.substr(0, at));
      const double most = sizes.empty() ? 0 : *std::max_element(sizes.begin(), sizes.end());
      for (std::size_t i = 0; i < gradient.size(); ++i) {
        EXPECT_LE(std::fabs(gradient[i]), cancelled(terms) * most) << tensor.name << " " << i;
      }
      key_biases += sizes.empty() ? 0 : 1;
      continue;
    }
    const std::array<double, 5> got = fingerprint(gradient);
    for (std::size_t i = 0; i < got.size(); ++i) {
      EXPECT_NEAR(got[i], expected[i], kGradient * expected[0] + 1e-8) << tensor.name << " " << i;
    }
  }
  EXPECT_EQ(key_biases, 5) << "the last layer of the first encoder is not reached";
}

INSTANTIATE_TEST_SUITE_P(Checkpointing, FullTraining, ::testing::Bool());

struct Case {
  const char* model;
  const char* reference;
  const char* targets;
  bool text = false;
  std::optional<DoraAxis> dora = {};
  AdapterType type = AdapterType::lora;
};

constexpr Case product_case(const char* reference, AdapterType type,
                            std::optional<DoraAxis> dora = {}) {
  return {"a.safetensors", reference, "linear+conv", false, dora, type};
}
constexpr Case kProducts[] = {
    product_case("a_loha_peft.safetensors", AdapterType::loha),
    product_case("a_loha_lycoris.safetensors", AdapterType::loha),
    product_case("a_lokr_peft.safetensors", AdapterType::lokr),
    product_case("a_lokr_lycoris.safetensors", AdapterType::lokr),
    product_case("a_loha_dora_output.safetensors", AdapterType::loha, DoraAxis::output),
    product_case("a_loha_dora_input.safetensors", AdapterType::loha, DoraAxis::input),
    product_case("a_lokr_dora_output.safetensors", AdapterType::lokr, DoraAxis::output),
    product_case("a_lokr_dora_input.safetensors", AdapterType::lokr, DoraAxis::input)};

std::string reference_name(const ::testing::TestParamInfo<Case>& info) {
  const std::string name = info.param.reference;
  return name.substr(0, name.find('.'));
}

class Gradients : public ::testing::TestWithParam<Case> {
 protected:
  static Step::Options options(const Reference& r) {
    Step::Options o;
    o.targets = {GetParam().targets};
    if (GetParam().text) {
      o.parts = {kDenoiser, kTe1, kTe2};
    }
    o.rank = static_cast<int>(r.metadata("rank"));
    o.conv_rank = static_cast<int>(r.metadata("conv_rank"));
    o.alpha = r.metadata("alpha");
    o.dora = GetParam().dora;
    o.type = GetParam().type;
    return o;
  }
};

TEST_P(Gradients, MatchTheOtherTrainer) {
  const Reference r(GetParam().reference);
  Step step(GetParam().model, options(r));
  std::vector<std::string> names;
  for (const AdapterTensor& tensor : step.adapters().tensors()) {
    names.push_back(traced_path(tensor.name));
  }
  std::sort(names.begin(), names.end());
  ASSERT_EQ(names, r.below("adapter."));
  step.load(r, "adapter.");
  step.record(r, "", GetParam().text);
  step.feed(r, "");
  step.run();
  EXPECT_NEAR(step.loss(), r.values("loss")[0], kForward * std::abs(r.values("loss")[0]));
  EXPECT_LE(relative_error(read(step.executor().output("prediction")), r.values("prediction")),
            kForward);
  double worst = 0;
  for (const AdapterTensor& tensor : step.adapters().tensors()) {
    const double error =
        relative_error(step.gradient(tensor), r.raw("grad." + traced_path(tensor.name)));
    EXPECT_LE(error, kGradient) << tensor.name;
    worst = std::max(worst, error);
  }
  std::printf("%zu gradients, worst relative error %.2e\n", names.size(), worst);
}

TEST_P(Gradients, DontDependOnPlanCheckpointingOrThreads) {
  const Reference r(GetParam().reference);
  std::vector<float> plain;
  float loss = 0;
  std::size_t plain_bytes = 0;
  for (int variant = 0; variant < 4; ++variant) {
    Step::Options o = options(r);
    o.dropout = 0.25F;
    o.checkpointing = variant == 1;
    o.reuse = variant != 2;
    o.threads = variant == 3 ? 1 : 2;
    Step step(GetParam().model, o);
    step.load(r, "adapter.");
    step.record(r, "", GetParam().text);
    step.feed(r, "");
    step.run({.seed = 11, .step = 3});
    if (variant == 0) {
      plain = step.all_gradients();
      loss = step.loss();
      plain_bytes = step.plan().arena_bytes;
      EXPECT_GT(*std::max_element(plain.begin(), plain.end()), 0.0F);
    } else {
      EXPECT_EQ(step.loss(), loss) << "variant " << variant;
      EXPECT_TRUE(step.all_gradients() == plain) << "variant " << variant;
    }
    if (variant == 1) {
      EXPECT_LT(step.plan().arena_bytes, plain_bytes);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    Golden, Gradients,
    ::testing::Values(
        Case{"a.safetensors", "a_lora_attention.safetensors", "attention"},
        Case{"a.safetensors", "a_lora_linear_conv.safetensors", "linear+conv"},
        Case{"a.safetensors", "a_lora_text.safetensors", "attention", true},
        Case{"a.safetensors", "a_dora_output.safetensors", "linear+conv", false, DoraAxis::output},
        Case{"a.safetensors", "a_dora_input.safetensors", "linear+conv", false, DoraAxis::input},
        Case{"b", "b_lora_attention.safetensors", "attention"},
        Case{"c.safetensors", "c_lora_attention.safetensors", "attention"}),
    reference_name);
INSTANTIATE_TEST_SUITE_P(Products, Gradients, ::testing::ValuesIn(kProducts), reference_name);

class ProductCurves : public Gradients {};

TEST_P(ProductCurves, TwentyStepsOfPlainDescent) {
  const Reference r(GetParam().reference);
  Step step(GetParam().model, options(r));
  step.load(r, "adapter.");
  step.record(r, "");
  const auto rate = static_cast<float>(r.metadata("learning_rate"));
  const std::vector<float> losses = r.values("losses");
  ASSERT_EQ(losses.size(), 20U);
  EXPECT_LT(losses.back(), 0.9F * losses.front());
  double worst = 0;
  for (std::size_t i = 0; i < losses.size(); ++i) {
    step.adapters().zero_gradients();
    step.feed(r, "");
    step.run();
    const auto expected = static_cast<double>(losses[i]);
    const double error = std::abs(static_cast<double>(step.loss()) - expected) / expected;
    EXPECT_LE(error, 1e-4) << "step " << i;
    worst = std::max(worst, error);
    for (const AdapterBuffer& buffer : step.adapters().buffers()) {
      for (std::int64_t k = 0; k < buffer.parameters.count(); ++k) {
        buffer.parameters.as<float>()[k] -= rate * buffer.gradients.as<float>()[k];
      }
    }
  }
  std::printf("worst loss error %.2e\n", worst);
}

INSTANTIATE_TEST_SUITE_P(Golden, ProductCurves, ::testing::ValuesIn(kProducts), reference_name);

TEST(Training, DropoutDiffersFromStepToStepAndStopsForSampling) {
  const Reference r("a_lora_attention.safetensors");
  Step::Options o{.targets = {"attention"}};
  o.dropout = 0.5F;
  Step step("a.safetensors", o);
  step.load(r, "adapter.");
  step.record(r, "");
  const auto loss_at = [&](std::uint32_t number) {
    step.feed(r, "");
    step.run({.seed = 1, .step = number});
    return step.loss();
  };
  const float first = loss_at(1);
  EXPECT_NE(first, loss_at(2));
  EXPECT_EQ(first, loss_at(1));

  Step quiet("a.safetensors", o);
  quiet.load(r, "adapter.");
  {
    const WithoutDropout looking(&quiet.adapters());
    quiet.record(r, "");
  }
  quiet.feed(r, "");
  quiet.run({.seed = 1, .step = 1});
  EXPECT_NEAR(quiet.loss(), r.values("loss")[0], kForward * std::abs(r.values("loss")[0]));
}

TEST(Training, LossCurveOfTwentySteps) {
  const Reference r("a_curve.safetensors");
  Step::Options o{.targets = {"attention"}};
  o.rank = static_cast<int>(r.metadata("rank"));
  o.conv_rank = 0;
  o.alpha = r.metadata("alpha");
  Step step("a.safetensors", o);
  step.load(r, "adapter.before.");
  step.record(r, "step.0001.");
  const View parameters = step.adapters().parameters(kDenoiser);
  const View gradients = step.adapters().gradients(kDenoiser);
  std::vector<float> m(static_cast<std::size_t>(parameters.count())), v(m.size());
  const double limit = r.metadata("max_grad_norm");
  double worst = 0;
  for (int i = 1; i <= 20; ++i) {
    char prefix[16];
    std::snprintf(prefix, sizeof prefix, "step.%04d.", i);
    step.adapters().zero_gradients();
    step.feed(r, prefix);
    step.run({.seed = 0, .step = static_cast<std::uint32_t>(i)});
    const double expected = r.values(std::string(prefix) + "loss")[0];
    const double error = std::abs(step.loss() - expected) / expected;
    EXPECT_LE(error, 1e-4) << "step " << i;
    worst = std::max(worst, error);
    const double norm = std::sqrt(step.kernels().sum_of_squares(gradients));
    EXPECT_NEAR(norm, r.values(std::string(prefix) + "grad_norm")[0], 1e-4 * norm);
    UpdateOptions options;
    options.learning_rate = r.metadata("learning_rate");
    options.weight_decay = r.metadata("weight_decay");
    options.grad_scale = std::min(1.0, limit / (norm + 1e-6));
    options.correction1 = 1 - std::pow(options.beta1, i);
    options.correction2 = 1 - std::pow(options.beta2, i);
    ParameterUpdate update;
    update.parameter = parameters;
    update.gradient = gradients;
    update.m.values = View(m.data(), DType::f32, parameters.shape);
    update.v.values = View(v.data(), DType::f32, parameters.shape);
    step.kernels().optimizer_step({&update, 1}, options);
  }
  double adapter_error = 0;
  for (const AdapterTensor& tensor : step.adapters().tensors()) {
    adapter_error =
        std::max(adapter_error, relative_error(read(tensor.tensor->view()),
                                               r.raw("adapter.after." + traced_path(tensor.name))));
  }
  EXPECT_LE(adapter_error, 1e-3);
  std::printf("worst loss error %.2e, adapter after 20 steps %.2e\n", worst, adapter_error);
}

}  // namespace
}  // namespace mantissa
