// Anima against diffusers and PEFT in float64 (tests/golden/make_anima.py).
#include "engine/models/anima/anima.h"

#include <algorithm>

#include "engine/adapters/trained_set.h"
#include "engine/graph/ops.h"
#include "engine/models/anima/anima_family.h"
#include "engine/models/anima/anima_model.h"
#include "engine/models/vae/qwen_vae.h"
#include "tests/engine/models/transformer_reference.h"
#include "tests/test_util.h"

namespace mantissa {
namespace {

using namespace testing_support;

/// An Anima transformer.
class Anima : public TransformerReference {
 protected:
  void bind(const Scope& scope) override { model_.emplace(anima_config(source_), scope); }
  Value predict(Value latents, const Reference& r) override {
    const Shape s = latents.shape();
    const RotaryTables at = anima_positions(s[1], s[2], model_->config());
    computed_ = {{"cos", at.cos}, {"sin", at.sin}};
    const Shape table{1, at.tokens, at.pairs};
    return model_->forward(graph_, latents,
                           {.times = scale(input("timesteps", r), 1 / 1000.0F),
                            .text = input("text", r),
                            .rotation = {graph_.input("cos", DType::f32, table),
                                         graph_.input("sin", DType::f32, table)}});
  }
  std::optional<AnimaTransformer> model_;
};
class AnimaTraining : public Anima {};

TEST_P(Anima, PredictsAsDiffusers) {
  expect_prediction(ModelFamily("anima"));
}

TEST_TRAINING_AS_IN_TORCH(AnimaTraining)

const auto kAnimaCases = ::testing::Values(ReferenceCase{"anima", "anima"},
                                           ReferenceCase{"anima_base", "anima_base.safetensors"},
                                           ReferenceCase{"anima_bare", "anima_bare.safetensors"});
INSTANTIATE_TEST_SUITE_P(Golden, Anima, kAnimaCases, case_name);
INSTANTIATE_TEST_SUITE_P(Golden, AnimaTraining, kAnimaCases, case_name);

class AnimaWhole : public WholeModel {
 protected:
  AnimaWhole() : WholeModel("anima") {}
};

constexpr std::size_t kTextTokens = 512, kTextWidth = 24, kTextRows = 32;

TEST_F(AnimaWhole, ReadsCaptionsAsThePipelineDoes) {
  const Reference r("anima_text.safetensors");
  const std::vector<TokenIds> batch = captions(*model_);
  const std::vector<float> context = encoded(batch).at("context");
  for (std::size_t i = 0; i < batch.size(); ++i) {
    const std::string n = std::to_string(i);
    for (const std::string part : {"te1", "te2"}) {
      std::vector<std::int32_t> want = r.ids(part + "." + n);
      const bool empty = part == "te1" && i == 1;
      EXPECT_EQ(batch[i].of(part + "_length").at(0), empty ? 0 : static_cast<int>(want.size()));
      want.resize(kTextTokens, 0);
      EXPECT_EQ(batch[i].of(part + "_ids"), want) << part << " " << n;
    }
    EXPECT_LE(
        relative_error(text_rows(context, i, kTextWidth, 0, kTextRows), r.values("context." + n)),
        kForward);
    const std::size_t own = r.ids("te2." + n).size();
    const std::vector<float> behind = text_rows(context, i, kTextWidth, own, kTextTokens - own);
    EXPECT_TRUE(std::all_of(behind.begin(), behind.end(), [](float x) { return x == 0; }))
        << "zeros behind a text";
  }
}

TEST_F(AnimaWhole, TrainsTheTextConditioner) {
  const Reference r("anima_text.safetensors");
  TrainedSet adapters(*kernels_, lora_preset({"attention+mlp"}, 3, 3, 5, {kTe2}), kAnima);
  AnimaModel model(kernels_.get(), source_, &adapters);
  model.bind(std::vector{kTe2});
  adapters.finalize(7);
  load_adapters(adapters, r);
  const Value context = model.encode_text(graph_, 3, kTextTokens).at("context");
  const Loss loss = mse_loss(context, graph_.input("target", DType::f32, context.shape()),
                             graph_.input("weight", DType::f32, {3}));
  graph_.output("loss", loss.loss);
  graph_.backward(loss.loss, true);
  const Plan plan = make_plan(graph_);
  Executor executor(graph_, plan, *kernels_, arena_);
  model.feed_tokens(executor, captions(model));
  std::vector<float> target(3 * kTextTokens * kTextWidth);
  const std::vector<float> first = r.raw("target");
  for (std::size_t i = 0; i < 3; ++i) {
    constexpr std::size_t kCount = kTextRows * kTextWidth;
    std::copy_n(first.begin() + static_cast<std::ptrdiff_t>(i * kCount), kCount,
                target.begin() + static_cast<std::ptrdiff_t>(i * kTextTokens * kTextWidth));
  }
  executor.feed("target", target);
  executor.feed("weight", std::vector<float>(3, 1.0F));
  executor.run({});
  EXPECT_LE(relative_error(read(executor.output("loss")), r.values("loss")), kForward);
  expect_gradients(r, adapters);
}

TEST_F(AnimaWhole, PredictsAsThePipelineDoes) {
  expect_prediction("anima.safetensors", {{"context", "text"}});
}

TEST_F(AnimaWhole, HasTheLatentsOfItsVae) {
  const QwenVaeConfig vae = qwen_vae_config(source_);
  EXPECT_EQ(model_->latent_channels(), 4);
  EXPECT_EQ(model_->latent_factor(), 4);
  EXPECT_EQ(model_->latent_multiple(), 2);
  EXPECT_EQ(model_->text_tokens(), 512);
  EXPECT_EQ(model_->latents().shift, vae.latents_mean);
  EXPECT_EQ(model_->latents().gain.at(1), 1 / vae.latents_std.at(1));
}

TEST_F(AnimaWhole, ImagesBeyondItsPositionsAreErrors) {
  AnimaConfig config;
  EXPECT_EQ(anima_positions(256, 256, config).tokens, 128 * 128);
  test::expect_error_with([&] { anima_positions(258, 256, config); }, {"129 x 128", "128 x 128"});
}

}  // namespace
}  // namespace mantissa
