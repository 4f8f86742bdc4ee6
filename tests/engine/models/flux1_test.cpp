// FLUX.1 against diffusers and PEFT in float64 (tests/golden/make_flux1.py).
#include "engine/models/flux1/flux1.h"

#include <algorithm>
#include <array>

#include "engine/models/flux1/flux1_model.h"
#include "kernels/cpu/cpu.h"
#include "tests/engine/models/transformer_reference.h"

namespace mantissa {
namespace {

using namespace testing_support;

/// A FLUX.1 transformer.
class Flux1 : public TransformerReference {
 protected:
  void bind(const Scope& scope) override { model_.emplace(flux1_config(source_), scope); }
  Value predict(Value latents, const Reference& r) override {
    const Shape s = latents.shape();
    std::vector<Value> references;
    std::vector<LatentSize> sizes;
    if (r.has("reference_1")) {
      references.push_back(input("reference_1", r));
      const Shape own = references.back().shape();
      sizes.push_back({own[1], own[2]});
    }
    const RotaryTables at =
        flux1_positions(r.shape("text")[1], {s[1], s[2]}, model_->config(), sizes);
    computed_ = {{"cos", at.cos}, {"sin", at.sin}};
    const Shape table{1, at.tokens, at.pairs};
    return model_->forward(graph_, latents,
                           {.timesteps = input("timesteps", r),
                            .guidance = r.has("guidance") ? input("guidance", r) : Value{},
                            .text = input("text", r),
                            .pooled = input("pooled", r),
                            .cos = graph_.input("cos", DType::f32, table),
                            .sin = graph_.input("sin", DType::f32, table),
                            .references = references});
  }
  std::optional<Flux1Transformer> model_;
};
class Flux1Training : public Flux1 {};

TEST_P(Flux1, PredictsAsDiffusers) {
  expect_prediction(ModelFamily("flux1"));
}

TEST_TRAINING_AS_IN_TORCH(Flux1Training)

const auto kFlux1Cases =
    ::testing::Values(ReferenceCase{"flux1", "flux1"}, ReferenceCase{"flux1_edit", "flux1"},
                      ReferenceCase{"flux1_base", "flux1_base.safetensors"},
                      ReferenceCase{"flux1_bare", "flux1_bare.safetensors"});
INSTANTIATE_TEST_SUITE_P(Golden, Flux1, kFlux1Cases, case_name);
INSTANTIATE_TEST_SUITE_P(Golden, Flux1Training, kFlux1Cases, case_name);

class Flux1Whole : public WholeModel {
 protected:
  Flux1Whole() : WholeModel("flux1") {}

  /// For the reference's inputs, with this scale of samples; training's without one.
  std::vector<float> predicted_at(std::optional<double> scale) {
    const Reference r("flux1.safetensors");
    const Shape s = r.shape("latents");
    Graph graph;
    const TextValues text = model_->text_inputs(graph, s[0], r.shape("text")[1]);
    graph.output("prediction", model_->predict(graph, graph.input("latents", DType::f32, s),
                                               graph.input("timesteps", DType::f32, {s[0]}), text));
    const Plan plan = make_plan(graph);
    Executor executor(graph, plan, *kernels_, arena_);
    for (const char* name : {"latents", "timesteps", "pooled"}) {
      executor.feed(name, r.values(name));
    }
    executor.feed("context", r.values("text"));
    model_->feed_sizes(executor, {}, s[1], s[2]);
    if (scale) {
      model_->feed_guidance(executor, *scale);
    }
    executor.run({});
    return read(executor.output("prediction"));
  }
};

/// How far PyTorch's own FP32 is from float64 in T5's states, for each prompt, as make_flux1.py
/// prints: logits without a scale amplify rounding, which depends on the order of sums.
constexpr std::array kFlux1TextInFp32{1.4e-5, 5.0e-6, 2.3e-5};

TEST_F(Flux1Whole, ReadsCaptionsAsThePipelineDoes) {
  const Reference r("flux1_text.safetensors");
  const std::vector<TokenIds> batch = captions(*model_);
  const auto values = encoded(batch);
  constexpr std::size_t kWidth = 24, kRows = 48, kPooled = 16;
  for (std::size_t i = 0; i < batch.size(); ++i) {
    const std::string n = std::to_string(i);
    EXPECT_EQ(batch[i].of("te1_ids"), r.ids("te1." + n)) << i;
    EXPECT_EQ(batch[i].of("te2_ids"), r.ids("te2." + n)) << i;
    const auto row = values.at("pooled").begin() + static_cast<std::ptrdiff_t>(i * kPooled);
    EXPECT_LE(relative_error({row, row + kPooled}, r.values("pooled." + n)), kForward) << i;
    EXPECT_LE(relative_error(text_rows(values.at("context"), i, kWidth, 0, kRows),
                             r.values("hidden." + n)),
              std::max(kForward, kFlux1TextInFp32.at(i)))
        << i;
  }
}

TEST_F(Flux1Whole, PredictsAsThePipelineDoes) {
  expect_prediction("flux1.safetensors", {{"context", "text"}, {"pooled", "pooled"}});
}

// A scale of samples is the transformer's input, in place of a second pass; training has 1.
TEST_F(Flux1Whole, GuidanceIsAnInput) {
  EXPECT_TRUE(model_->takes_guidance());
  const std::vector<float> trained = predicted_at(std::nullopt);
  EXPECT_EQ(predicted_at(1.0), trained);
  EXPECT_NE(predicted_at(3.5), trained);
}

// The model's own inputs: sizes and positions of the reference, whose prediction is left out.
TEST_F(Flux1Whole, EditsAsTheKontextPipelineDoes) {
  const Reference r("flux1_edit.safetensors");
  const Shape s = r.shape("latents"), own = r.shape("reference_1");
  Graph graph;
  const TextValues text = model_->text_inputs(graph, s[0], r.shape("text")[1]);
  const std::vector<Value> references =
      reference_inputs(graph, s[0], s[3], std::array{LatentSize{own[1], own[2]}});
  graph.output("prediction", model_->predict_edit(graph, graph.input("latents", DType::f32, s),
                                                  graph.input("timesteps", DType::f32, {s[0]}),
                                                  text, references));
  const Plan plan = make_plan(graph);
  Executor executor(graph, plan, *kernels_, arena_);
  for (const char* name : {"latents", "timesteps", "pooled", "reference_1"}) {
    executor.feed(name, r.values(name));
  }
  executor.feed("context", r.values("text"));
  model_->feed_sizes(executor, {}, s[1], s[2]);
  executor.run({});
  EXPECT_LE(relative_error(read(executor.output("prediction")), r.values("prediction")), kForward);
}

TEST_F(Flux1Whole, HasTheLatentsOfItsVae) {
  EXPECT_EQ(model_->latent_channels(), 16);
  EXPECT_EQ(model_->latent_factor(), 4);
  EXPECT_EQ(model_->latent_multiple(), 2);
  EXPECT_EQ(model_->text_tokens(), 512);
  EXPECT_EQ(model_->latents().gain, std::vector<double>(16, 0.3611));
  EXPECT_EQ(model_->latents().shift, std::vector<double>(16, 0.1159));
}

TEST_F(Flux1Whole, LongCaptionsAreCutByT5Alone) {
  std::string caption;
  for (int i = 0; i < 100; ++i) {
    caption += "a red cat, ";
  }
  const std::vector<TextReach> reach = model_->text_reach(caption);
  ASSERT_EQ(reach.size(), 1U);
  EXPECT_EQ(reach.front().part, kTe2);
  EXPECT_EQ(reach.front().most, 511);
  EXPECT_TRUE(reach.front().cuts());
  EXPECT_EQ(model_->tokenize(caption).of("te1_ids").size(), 77U);
}

TEST(Flux1Bare, HasTheUsualLatentsWithoutAVae) {
  const auto kernels = make_cpu_kernels(1);
  const Flux1Model model(kernels.get(), WeightSource::open(golden_model("flux1_bare.safetensors")));
  EXPECT_EQ(model.latent_channels(), 16);
  EXPECT_EQ(model.latent_factor(), 8);
  EXPECT_EQ(model.native_side(), 128);
  EXPECT_EQ(model.latents().gain, std::vector<double>(16, 0.3611));
}

TEST(Flux1Schnell, ReadsHalfAsManyTokensAndTakesNoGuidance) {
  const auto kernels = make_cpu_kernels(1);
  const Flux1Model model(kernels.get(), WeightSource::open(golden_model("flux1_base.safetensors")));
  EXPECT_EQ(model.text_tokens(), 256);
  EXPECT_FALSE(model.takes_guidance());
}

}  // namespace
}  // namespace mantissa
