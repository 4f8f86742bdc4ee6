// Qwen-Image-2.1 against diffusers and PEFT in float64 (tests/golden/make_qwen_image21.py).
#include "engine/models/qwen_image21/qwen_image21.h"

#include "engine/models/qwen_image21/qwen_image21_model.h"
#include "engine/models/references.h"
#include "engine/models/vae/qwen_vae_config.h"
#include "kernels/cpu/cpu.h"
#include "tests/engine/models/transformer_reference.h"

namespace mantissa {
namespace {

using namespace testing_support;

class QwenImage21 : public TransformerReference {
 protected:
  void bind(const Scope& scope) override { model_.emplace(qwen_image21_config(source_), scope); }
  Value predict(Value latents, const Reference& r) override {
    const Shape s = latents.shape();
    std::vector<Value> references;
    std::vector<LatentSize> sizes;
    std::vector<std::int64_t> places;
    for (std::size_t i = 0; r.has(reference_name(i)); ++i) {
      references.push_back(input(reference_name(i).c_str(), r));
      const Shape own = references.back().shape();
      sizes.push_back({own[1], own[2]});
      places.push_back(r.ids("places").at(i));
    }
    const ReferenceSequence sequence(r.shape("text")[1], sizes, places);
    const RotaryTables at = qwen_image21_positions(sequence, {s[1], s[2]}, model_->config());
    computed_ = {
        {"cos", twice(at.cos)}, {"sin", twice(at.sin)}, {"order", qwen_image21_order(sequence)}};
    const Shape table{s[0], at.tokens, at.pairs};
    const Shape order{1, sequence.tokens(), sequence.count()};
    return model_->forward(
        graph_, latents,
        {.timesteps = input("timesteps", r),
         .text = input("text", r),
         .keys = input("keys", r),
         .lengths = input("lengths", r),
         .cos = graph_.input("cos", DType::f32, table),
         .sin = graph_.input("sin", DType::f32, table),
         .references = references,
         .places = places,
         .order = references.empty() ? Value{} : graph_.input("order", DType::f32, order)});
  }
  /// The tables of both samples, whose lengths the transformer puts in.
  static std::vector<float> twice(std::vector<float> table) {
    const std::vector<float> one = table;
    table.insert(table.end(), one.begin(), one.end());
    return table;
  }
  std::optional<QwenImage21Transformer> model_;
};
class QwenImage21Training : public QwenImage21 {};

TEST_P(QwenImage21, PredictsAsDiffusers) {
  expect_prediction(ModelFamily("qwen_image_21"));
}

TEST_TRAINING_AS_IN_TORCH(QwenImage21Training)

const auto kQwenImage21Cases =
    ::testing::Values(ReferenceCase{"qwen_image21", "qwen_image_21"},
                      ReferenceCase{"qwen_image21_edit", "qwen_image_21"},
                      ReferenceCase{"qwen_image21_base_edit", "qwen_image21_base.safetensors"},
                      ReferenceCase{"qwen_image21_base", "qwen_image21_base.safetensors"},
                      ReferenceCase{"qwen_image21_bare", "qwen_image21_bare.safetensors"});
INSTANTIATE_TEST_SUITE_P(Golden, QwenImage21, kQwenImage21Cases, case_name);
INSTANTIATE_TEST_SUITE_P(Golden, QwenImage21Training, kQwenImage21Cases, case_name);

class QwenImage21Whole : public WholeModel {
 protected:
  QwenImage21Whole() : WholeModel("qwen_image_21") {}
};

// The pipeline encodes prompts of different lengths in one batch, padded on the left.
TEST_F(QwenImage21Whole, ReadsCaptionsAsThePipelineDoes) {
  const Reference r("qwen_image21_text.safetensors");
  const std::vector<TokenIds> batch = captions(*model_, 2);
  const auto got = encoded(batch);
  expect_texts(r, batch, got);
  for (std::size_t i = 0; i < batch.size(); ++i) {
    const std::string n = std::to_string(i);
    const std::vector<std::int32_t>& real = batch[i].of("te1_real");
    EXPECT_EQ(std::ranges::count(real, 1), std::ssize(r.ids("ids." + n))) << i;
    EXPECT_EQ(got.at("length").at(i), static_cast<float>(r.shape("hidden." + n)[0])) << i;
  }
}

TEST_F(QwenImage21Whole, PredictsAsThePipelineDoes) {
  expect_prediction("qwen_image21.safetensors",
                    {{"context", "text"}, {"mask", "keys"}, {"length", "lengths"}});
}

TEST_F(QwenImage21Whole, PaddingBehindACaptionChangesNothing) {
  expect_padding_to_change_nothing(1024);
}

TEST_F(QwenImage21Whole, LongCaptionsAreCutBeforeTheTemplatesEnd) {
  std::string text;
  for (int i = 0; i < 400; ++i) {
    text += "red cat, ";
  }
  const TokenIds longest = model_->tokenize(text), empty = model_->tokenize("");
  const std::vector<std::int32_t>&ids = longest.of("te1_ids"), &real = longest.of("te1_real");
  const std::vector<std::int32_t>& some = empty.of("te1_ids");
  EXPECT_EQ(std::ranges::count(real, 1), std::ssize(real));
  const auto end = std::ranges::count(empty.of("te1_real"), 1);
  EXPECT_TRUE(std::equal(ids.end() - 4, ids.end(), some.begin() + end - 4));
  EXPECT_TRUE(model_->text_reach(text).at(0).cuts());
  EXPECT_FALSE(model_->text_reach("a red cat").at(0).cuts());
}

TEST_F(QwenImage21Whole, HasTheLatentsOfItsVae) {
  EXPECT_EQ(model_->latent_channels(), 8);
  EXPECT_EQ(model_->latent_factor(), 4);
  EXPECT_EQ(model_->latent_multiple(), 2);
  EXPECT_EQ(model_->patch_size(), 1);
  EXPECT_EQ(model_->text_tokens(), 1024);
  EXPECT_EQ(model_->latents().shift, qwen_image21_vae_config(source_).latents_mean);
}

TEST(QwenImage21Bare, HasTheUsualLatentsWithoutAVae) {
  const auto kernels = make_cpu_kernels(1);
  const QwenImage21Model model(kernels.get(),
                               WeightSource::open(golden_model("qwen_image21_bare.safetensors")));
  EXPECT_EQ(model.latent_channels(), 4);
  EXPECT_EQ(model.latent_factor(), 16);
  EXPECT_EQ(model.native_side(), 64);
  EXPECT_EQ(model.latents().gain, std::vector<double>(4, 1.0));
}

}  // namespace
}  // namespace mantissa
