// FLUX.2 against diffusers and PEFT in float64 (tests/golden/make_flux2.py).
#include "engine/models/flux2/flux2.h"

#include <algorithm>

#include "engine/graph/ops.h"
#include "engine/models/flux2/flux2_model.h"
#include "kernels/cpu/cpu.h"
#include "tests/engine/models/transformer_reference.h"

namespace mantissa {
namespace {

using namespace testing_support;

/// A FLUX.2 transformer.
class Flux2 : public TransformerReference {
 protected:
  void bind(const Scope& scope) override { model_.emplace(flux2_config(source_), scope); }
  Value predict(Value latents, const Reference& r) override {
    const Shape s = latents.shape();
    std::vector<Value> references;
    std::vector<LatentSize> sizes;
    for (std::size_t i = 0; r.has(reference_name(i)); ++i) {
      references.push_back(input(reference_name(i).c_str(), r));
      const Shape own = references.back().shape();
      sizes.push_back({own[1], own[2]});
    }
    const RotaryTables at =
        flux2_positions(r.shape("text")[1], {s[1], s[2]}, sizes, model_->config());
    computed_ = {{"cos", at.cos}, {"sin", at.sin}};
    const Shape table{1, at.tokens, at.pairs};
    return model_->forward(graph_, latents,
                           {.timesteps = input("timesteps", r),
                            .guidance = r.has("guidance") ? input("guidance", r) : Value{},
                            .text = input("text", r),
                            .cos = graph_.input("cos", DType::f32, table),
                            .sin = graph_.input("sin", DType::f32, table),
                            .references = references});
  }
  std::optional<Flux2Transformer> model_;
};
class Flux2Training : public Flux2 {};

TEST_P(Flux2, PredictsAsDiffusers) {
  expect_prediction(ModelFamily("flux2"));
}

TEST_TRAINING_AS_IN_TORCH(Flux2Training)

const auto kFlux2Cases =
    ::testing::Values(ReferenceCase{"flux2", "flux2"}, ReferenceCase{"flux2_edit", "flux2"},
                      ReferenceCase{"flux2_base", "flux2_base.safetensors"},
                      ReferenceCase{"flux2_bare", "flux2_bare.safetensors"});
INSTANTIATE_TEST_SUITE_P(Golden, Flux2, kFlux2Cases, case_name);
INSTANTIATE_TEST_SUITE_P(Golden, Flux2Training, kFlux2Cases, case_name);

class Flux2Whole : public WholeModel {
 protected:
  Flux2Whole() : WholeModel("flux2") {}
};

TEST_F(Flux2Whole, ReadsCaptionsAsThePipelineDoes) {
  const Reference r("flux2_text.safetensors");
  const std::vector<TokenIds> batch = captions(*model_);
  const std::vector<float> context = encoded(batch).at("context");
  constexpr std::size_t kWidth = 24, kRows = 48;
  for (std::size_t i = 0; i < batch.size(); ++i) {
    const std::string n = std::to_string(i);
    EXPECT_EQ(batch[i].of("te1_ids"), r.ids("ids." + n)) << i;
    const std::vector<std::int32_t> real = r.ids("real." + n);
    EXPECT_EQ(batch[i].of("te1_length").at(0), std::count(real.begin(), real.end(), 1));
    EXPECT_LE(relative_error(text_rows(context, i, kWidth, 0, kRows), r.values("hidden." + n)),
              kForward)
        << i;
  }
}

TEST_F(Flux2Whole, PredictsAsThePipelineDoes) {
  expect_prediction("flux2.safetensors", {{"context", "text"}});
}

TEST_F(Flux2Whole, HasNormalisedPatchesForLatents) {
  EXPECT_EQ(model_->latent_channels(), 16);
  EXPECT_EQ(model_->latent_factor(), 4);
  EXPECT_EQ(model_->text_tokens(), 512);
  EXPECT_NE(model_->latents().gain.at(0), model_->latents().gain.at(1));
}

TEST(Flux2Bare, HasTheUsualLatentsWithoutAVae) {
  const auto kernels = make_cpu_kernels(1);
  const Flux2Model model(kernels.get(), WeightSource::open(golden_model("flux2_bare.safetensors")));
  EXPECT_EQ(model.latent_channels(), 8);
  EXPECT_EQ(model.latent_factor(), 16);
  EXPECT_EQ(model.native_side(), 64);
  EXPECT_EQ(model.latents().gain, std::vector<double>(8, 1.0));
}

// The pipelines' default, to which no setting of a run corresponds.
TEST(Flux2Guided, PredictsWithAScaleOfFour) {
  const Reference r("flux2_bare.safetensors");
  const WeightSource source = WeightSource::open(golden_model("flux2_bare.safetensors"));
  const auto kernels = make_cpu_kernels(2);
  Flux2Model model(kernels.get(), source);
  WeightStore weights(*kernels, source);
  const Flux2Transformer transformer(flux2_config(source), Scope(weights, nullptr, kDenoiser));
  Graph graph;
  const Shape s = r.shape("latents"), t = r.shape("timesteps");
  const Value latents = graph.input("latents", DType::f32, s);
  const Value timesteps = graph.input("timesteps", DType::f32, t);
  const TextValues text = model.text_inputs(graph, s[0], r.shape("text")[1]);
  graph.output("prediction", model.predict(graph, latents, timesteps, text));
  const RotaryTables positions =
      flux2_positions(r.shape("text")[1], s[1], s[2], transformer.config());
  const Shape table{1, positions.tokens, positions.pairs};
  const Value cos = graph.input("cos", DType::f32, table);
  const Value sin = graph.input("sin", DType::f32, table);
  for (const float scale : {4.0F, 1.0F}) {
    graph.output(scale == 4 ? "four" : "one",
                 transformer.forward(graph, latents,
                                     {.timesteps = timesteps,
                                      .guidance = constant(graph, DType::f32, t, scale),
                                      .text = text.at("context"),
                                      .cos = cos,
                                      .sin = sin}));
  }
  const Plan plan = make_plan(graph);
  Arena arena(*kernels);
  Executor executor(graph, plan, *kernels, arena);
  executor.feed("latents", r.values("latents"));
  executor.feed("timesteps", r.values("timesteps"));
  executor.feed("context", r.values("text"));
  executor.feed("cos", positions.cos);
  executor.feed("sin", positions.sin);
  model.feed_sizes(executor, {}, s[1], s[2]);
  executor.run({});
  const std::vector<float> prediction = read(executor.output("prediction"));
  EXPECT_EQ(prediction, read(executor.output("four")));
  EXPECT_NE(prediction, read(executor.output("one")));
}

// Values of diffusers' compute_empirical_mu.
TEST(Flux2Sampling, ShiftsByTokensAndSteps) {
  EXPECT_NEAR(flux2_sampling_mu(1024, 4), 2.0307, 1e-4);
  EXPECT_NEAR(flux2_sampling_mu(4096, 50), 2.0234, 1e-4);
  EXPECT_NEAR(flux2_sampling_mu(4096, 200), 1.15, 1e-4);
  EXPECT_NEAR(flux2_sampling_mu(6400, 10), 1.5400, 1e-4);
}

}  // namespace
}  // namespace mantissa
