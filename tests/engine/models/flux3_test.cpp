// FLUX.3 against diffusers and PEFT in float64 (tests/golden/make_flux3.py).
#include "engine/models/flux3/flux3.h"

#include <algorithm>
#include <array>

#include "engine/models/flux3/flux3_model.h"
#include "engine/models/qwen3/qwen3_inputs.h"
#include "kernels/cpu/cpu.h"
#include "tests/engine/models/transformer_reference.h"

namespace mantissa {
namespace {

using namespace testing_support;

/// How far PyTorch's own FP32 is from float64 behind 32 layers, for each prompt, as make_flux3.py
/// prints; another order of sums may be three times as far.
constexpr std::array kFlux3TextInFp32{2.2e-6, 2.2e-6, 4.9e-6, 2.7e-6};

/// A reference's second image: the first, transposed.
std::vector<float> transposed_reference(const Reference& r) {
  const Shape s = r.shape("references");
  const std::vector<float> image = r.values("references");
  std::vector<float> turned;
  for (std::int64_t b = 0; b < s[0]; ++b) {
    for (std::int64_t p = 0; p < s[1] * s[2]; ++p) {
      const std::int64_t at = p % s[1] * s[2] + p / s[1];
      const auto pixel = image.begin() + (b * s[1] * s[2] + at) * s[3];
      turned.insert(turned.end(), pixel, pixel + s[3]);
    }
  }
  return turned;
}

/// A FLUX.3 transformer, with reference images where the reference has them.
class Flux3 : public TransformerReference {
 protected:
  void bind(const Scope& scope) override {
    model_.emplace(flux3_config(source_), scope,
                   reference().has("references") || reference().has("reference_1")
                       ? Flux3References::given
                       : Flux3References::none);
  }
  Value predict(Value latents, const Reference& r) override {
    const Shape s = latents.shape(), text = r.shape("text");
    Flux3Inputs inputs{.timesteps = input("timesteps", r), .text = input("text", r)};
    std::vector<LatentSize> sizes;
    if (r.has("references")) {
      const Shape image = r.shape("references");
      sizes = {{image[1], image[2]}, {image[2], image[1]}};
      computed_["turned"] = transposed_reference(r);
      inputs.references = {
          input("references", r),
          graph_.input("turned", DType::f32, {image[0], image[2], image[1], image[3]})};
    }
    for (std::size_t i = 0; r.has(reference_name(i)); ++i) {
      inputs.references.push_back(input(reference_name(i).c_str(), r));
      const Shape own = inputs.references.back().shape();
      sizes.push_back({own[1], own[2]});
    }
    const RotaryTables at = flux3_positions(text[1], {s[1], s[2]}, sizes, model_->config());
    computed_["cos"] = at.cos;
    computed_["sin"] = at.sin;
    computed_["keys"].assign(static_cast<std::size_t>(text[0] * text[1]), 0.0F);
    const Shape table{1, at.tokens, at.pairs};
    inputs.keys = graph_.input("keys", DType::f32, {text[0], text[1]});
    inputs.cos = graph_.input("cos", DType::f32, table);
    inputs.sin = graph_.input("sin", DType::f32, table);
    return model_->forward(graph_, latents, inputs);
  }
  std::optional<Flux3Transformer> model_;
};
class Flux3Training : public Flux3 {};

TEST_P(Flux3, PredictsAsDiffusers) {
  expect_prediction(ModelFamily("flux3"));
}

TEST_TRAINING_AS_IN_TORCH(Flux3Training)

const auto kFlux3Cases =
    ::testing::Values(ReferenceCase{"flux3", "flux3"}, ReferenceCase{"flux3_edit", "flux3"},
                      ReferenceCase{"flux3_base", "flux3_base.safetensors"},
                      ReferenceCase{"flux3_bare", "flux3_bare.safetensors"});
INSTANTIATE_TEST_SUITE_P(Golden, Flux3, kFlux3Cases, case_name);
INSTANTIATE_TEST_SUITE_P(Golden, Flux3Training, kFlux3Cases, case_name);

class Flux3Whole : public WholeModel {
 protected:
  Flux3Whole() : WholeModel("flux3") {}
  /// The prediction of a step's inputs, with the references that there are.
  void expect_prediction(const char* file) {
    const Reference r(file);
    const Shape latents = r.shape("latents"), text = r.shape("text");
    std::vector<ReferenceLatents> references;
    for (std::size_t i = 0; r.has(reference_name(i)); ++i) {
      const Shape own = r.shape(reference_name(i));
      references.push_back({{own[1], own[2]}, r.values(reference_name(i))});
    }
    const TextValues texts = model_->text_inputs(graph_, latents[0], text[1]);
    graph_.output("prediction",
                  model_->predict_edit(
                      graph_, graph_.input("latents", DType::f32, latents),
                      graph_.input("timesteps", DType::f32, {latents[0]}), texts,
                      reference_inputs(graph_, latents[0], latents[3], sizes_of(references))));
    const Plan plan = make_plan(graph_);
    Executor executor(graph_, plan, *kernels_, arena_);
    executor.feed("latents", r.values("latents"));
    executor.feed("timesteps", r.values("timesteps"));
    executor.feed("context", r.values("text"));
    executor.feed("mask", std::vector<float>(static_cast<std::size_t>(text[0] * text[1]), 0.0F));
    feed_references(executor, references);
    model_->feed_sizes(executor, {}, latents[1], latents[2]);
    executor.run({});
    EXPECT_LE(relative_error(read(executor.output("prediction")), r.values("prediction")),
              kForward);
  }
};

// Each caption has the window of the pipeline, whatever the longest one's is.
TEST_F(Flux3Whole, ReadsCaptionsAsThePipelineDoes) {
  constexpr std::size_t kWidth = 64, kStep = 5, kTokens = 560;
  const Reference r("flux3_text.safetensors");
  const std::vector<TokenIds> batch = captions(*model_, 3);
  const auto got = encoded(batch);
  const std::vector<float>&context = got.at("context"), &mask = got.at("mask");
  ASSERT_EQ(context.size(), batch.size() * kTokens * kWidth);
  for (std::size_t i = 0; i < batch.size(); ++i) {
    const std::string n = std::to_string(i);
    const std::vector<std::int32_t> ids = r.ids("ids." + n), real = r.ids("real." + n);
    const auto starts = [&](std::vector<std::int32_t> all, const std::vector<std::int32_t>& want) {
      all.resize(want.size());
      return all == want;
    };
    EXPECT_TRUE(starts(batch[i].of("te1_ids"), ids)) << i;
    EXPECT_TRUE(starts(batch[i].of("te1_real"), real)) << i;
    std::vector<float> rows;
    for (std::size_t t = 0; t < ids.size(); t += kStep) {
      const auto row = context.begin() + static_cast<std::ptrdiff_t>((i * kTokens + t) * kWidth);
      rows.insert(rows.end(), row, row + kWidth);
    }
    EXPECT_LE(relative_error(rows, r.values("hidden." + n)), 3 * kFlux3TextInFp32.at(i)) << i;
    for (std::size_t t = 0; t < kTokens; ++t) {
      ASSERT_EQ(mask[i * kTokens + t], t < ids.size() ? 0.0F : kMaskedKey) << i << " " << t;
    }
  }
}

TEST_F(Flux3Whole, PredictsAsThePipelineDoes) {
  expect_prediction("flux3.safetensors");
}

TEST_F(Flux3Whole, EditsAsThePipelineDoes) {
  model_->set_text_options({.references = true});
  expect_prediction("flux3_edit.safetensors");
}

// A caption's own window counts; what is behind it in a batch of longer ones doesn't.
TEST_F(Flux3Whole, TokensBehindACaptionsWindowChangeNothing) {
  const std::vector<float> padded = predicted();
  EXPECT_EQ(model_->tokens_needed("a photo of a red cat"), 80);
  model_->set_text_options({.tokens = 80});
  EXPECT_EQ(model_->text_tokens(), 80);
  EXPECT_LE(relative_error(predicted(), padded), kForward);
  model_->set_text_options({.tokens = 81});
  EXPECT_EQ(model_->text_tokens(), 160);
  EXPECT_LE(relative_error(predicted(), padded), kForward);
  model_->set_text_options({.tokens = 5000});
  EXPECT_EQ(model_->text_tokens(), 560);
}

TEST_F(Flux3Whole, HasNormalisedPatchesForLatents) {
  EXPECT_EQ(model_->latent_channels(), 16);
  EXPECT_EQ(model_->latent_factor(), 4);
  EXPECT_EQ(model_->text_tokens(), 560);
  EXPECT_NE(model_->latents().gain.at(0), model_->latents().gain.at(1));
}

TEST(Flux3Bare, HasTheUsualLatentsWithoutAVae) {
  const auto kernels = make_cpu_kernels(1);
  const Flux3Model model(kernels.get(), WeightSource::open(golden_model("flux3_bare.safetensors")));
  EXPECT_EQ(model.latent_channels(), 8);
  EXPECT_EQ(model.latent_factor(), 16);
  EXPECT_EQ(model.native_side(), 64);
  EXPECT_EQ(model.latents().gain, std::vector<double>(8, 1.0));
}

}  // namespace
}  // namespace mantissa
