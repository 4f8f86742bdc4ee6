// Qwen-Image against diffusers and PEFT in float64 (tests/golden/make_qwen_image.py).
#include "engine/models/qwen_image/qwen_image.h"

#include "engine/diffusion/samplers.h"
#include "engine/models/qwen3/chat_template.h"
#include "engine/models/qwen3/qwen3_tokenizer.h"
#include "engine/models/qwen_image/qwen_image_model.h"
#include "engine/models/references.h"
#include "engine/models/vae/qwen_vae_config.h"
#include "kernels/cpu/cpu.h"
#include "tests/engine/models/transformer_reference.h"

namespace mantissa {
namespace {

using namespace testing_support;

class QwenImage : public TransformerReference {
 protected:
  void bind(const Scope& scope) override {
    QwenImageConfig config = qwen_image_config(source_);
    config.zero_cond_t = std::string_view(GetParam().name).ends_with("still");
    model_.emplace(config, scope);
  }
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
        qwen_image_positions(r.shape("text")[1], {s[1], s[2]}, model_->config(), sizes);
    computed_ = {{"cos", at.cos}, {"sin", at.sin}};
    const Shape table{1, at.tokens, at.pairs};
    return model_->forward(graph_, latents,
                           {.timesteps = input("timesteps", r),
                            .text = input("text", r),
                            .keys = input("keys", r),
                            .cos = graph_.input("cos", DType::f32, table),
                            .sin = graph_.input("sin", DType::f32, table),
                            .references = references});
  }
  std::optional<QwenImageTransformer> model_;
};
class QwenImageTraining : public QwenImage {};
class QwenImageEditTraining : public QwenImage {};

TEST_P(QwenImage, PredictsAsDiffusers) {
  expect_prediction(ModelFamily("qwen_image"));
}

TEST_TRAINING_AS_IN_TORCH(QwenImageTraining)

const auto kQwenImageCases =
    ::testing::Values(ReferenceCase{"qwen_image", "qwen_image"},
                      ReferenceCase{"qwen_image_base", "qwen_image_base.safetensors"},
                      ReferenceCase{"qwen_image_bare", "qwen_image_bare.safetensors"});
INSTANTIATE_TEST_SUITE_P(Golden, QwenImage, kQwenImageCases, case_name);
INSTANTIATE_TEST_SUITE_P(Golden, QwenImageTraining, kQwenImageCases, case_name);

TEST_P(QwenImageEditTraining, LoraGradients) {
  expect_training(AdapterType::lora, false);
}

TEST_P(QwenImageEditTraining, LoraGradientsWithCheckpointing) {
  expect_training(AdapterType::lora, true);
}

TEST_P(QwenImageEditTraining, DoraGradients) {
  expect_training(AdapterType::dora, false);
}

const ReferenceCase kQwenImageEdit{"qwen_image_base_edit", "qwen_image_base.safetensors"};
const ReferenceCase kQwenImageStill{"qwen_image_base_still", "qwen_image_base.safetensors"};
INSTANTIATE_TEST_SUITE_P(Edits, QwenImage,
                         ::testing::Values(ReferenceCase{"qwen_image_edit", "qwen_image"},
                                           ReferenceCase{"qwen_image_still", "qwen_image"},
                                           kQwenImageEdit, kQwenImageStill),
                         case_name);
INSTANTIATE_TEST_SUITE_P(Edits, QwenImageEditTraining,
                         ::testing::Values(kQwenImageEdit, kQwenImageStill), case_name);

class QwenImageWhole : public WholeModel {
 protected:
  QwenImageWhole() : WholeModel("qwen_image") {}
};

// The pipeline encodes prompts of different lengths in one batch.
TEST_F(QwenImageWhole, ReadsCaptionsAsThePipelineDoes) {
  const Reference r("qwen_image_text.safetensors");
  const std::vector<TokenIds> batch = captions(*model_, 2);
  EXPECT_EQ(model_->text_tokens(), 1024);
  expect_texts(r, batch, encoded(batch));
  for (std::size_t i = 0; i < batch.size(); ++i) {
    const std::vector<std::int32_t>& real = batch[i].of("te1_real");
    EXPECT_EQ(std::ranges::count(real, 1), std::ssize(r.ids("ids." + std::to_string(i)))) << i;
  }
}

TEST_F(QwenImageWhole, PredictsAsThePipelineDoes) {
  expect_prediction("qwen_image.safetensors", {{"context", "text"}, {"mask", "keys"}});
}

TEST_F(QwenImageWhole, PaddingBehindACaptionChangesNothing) {
  expect_padding_to_change_nothing(1024);
}

// As the pipeline's tokenizer, which cuts whatever is beyond.
TEST_F(QwenImageWhole, LongCaptionsLoseTheTemplatesEndToo) {
  std::string text;
  for (int i = 0; i < 400; ++i) {
    text += "red cat, ";
  }
  const TokenIds longest = model_->tokenize(text);
  const std::vector<std::int32_t>& real = longest.of("te1_real");
  EXPECT_EQ(std::ranges::count(real, 1), std::ssize(real));
  EXPECT_TRUE(model_->text_reach(text).at(0).cuts());
  EXPECT_FALSE(model_->text_reach("a red cat").at(0).cuts());
  EXPECT_EQ(model_->tokens_needed(text), 1024);
}

TEST_F(QwenImageWhole, HasTheLatentsOfItsVae) {
  EXPECT_EQ(model_->latent_channels(), 4);
  EXPECT_EQ(model_->latent_factor(), 4);
  EXPECT_EQ(model_->latent_multiple(), 2);
  EXPECT_EQ(model_->patch_size(), 2);
  EXPECT_EQ(model_->text_tokens(), 1024);
  EXPECT_TRUE(model_->guidance_keeps_norms());
  EXPECT_EQ(model_->latents().shift, qwen_vae_config(source_).latents_mean);
}

// The pipeline drops 34 tokens by count; in Qwen's own vocabulary these are the instruction and
// the beginning of the user's message.
TEST(QwenImagePrompt, DropsAsManyTokensAsThePipeline) {
  const WeightSource bare = WeightSource::open(golden_model("qwen_image_bare.safetensors"));
  const BpeTokenizer tokenizer = qwen3_tokenizer(bare, kTe1, 152064);
  const PromptTokens cat = qwen_image_prompt_tokens(tokenizer, "a red cat", 64);
  EXPECT_EQ(cat.dropped, 34);
  EXPECT_EQ(cat.ids.size(), 34U + 64);
  EXPECT_EQ(std::ranges::count(cat.real, 1), 34 + 3 + 5) << "prompt, and the template's end";
  EXPECT_EQ(qwen_image_prompt_tokens(tokenizer, "\na red cat", 64).dropped, 34);
  EXPECT_EQ(qwen_image_length(tokenizer, "a red cat", 64).prompt, 3);
}

// Those of the pipelines that edit drop 64.
TEST(QwenImagePrompt, EditsHaveTheirImagesWhereThePipelinesHaveThem) {
  const WeightSource bare = WeightSource::open(golden_model("qwen_image_bare.safetensors"));
  const BpeTokenizer tokenizer = qwen3_tokenizer(bare, kTe1, 152064);
  const auto laid_out = [&](EditImages form, std::size_t images) {
    return edit_prompt_tokens(tokenizer, "a red cat", 64, form, images);
  };
  const PromptTokens alone = laid_out(EditImages::alone, 1);
  EXPECT_EQ(alone.dropped, 64);
  EXPECT_EQ(alone.images, std::vector<std::int64_t>{1});
  EXPECT_EQ(std::ranges::count(alone.real, 1), 64 + 2 + 3 + 5) << "prompt, and the template's end";
  const PromptTokens two = laid_out(EditImages::numbered, 2);
  EXPECT_EQ(two.dropped, 64);
  EXPECT_EQ(two.images, (std::vector<std::int64_t>{6, 13})) << "Picture, space, 1, colon, space";
  EXPECT_EQ(std::ranges::count(two.real, 1), 64 + 14 + 3 + 5);
  EXPECT_EQ(edit_length(tokenizer, "a red cat", 64, EditImages::numbered, 2).room, 64 - 14);
  EXPECT_EQ(edit_length(tokenizer, "a red cat", 64, EditImages::numbered, 2).prompt, 3);
}

// An area of 384 x 384 pixels in steps of 32 is at most 47 x 5 tokens of 28.
TEST(QwenImageBare, HasRoomForWhatItsTextEncoderSees) {
  QwenImageModel model(nullptr, WeightSource::open(golden_model("qwen_image_bare.safetensors")));
  model.set_text_options({.references = 2});
  EXPECT_EQ(model.text_tokens(), 1024 + 2 * 235);
  model.set_text_options({.tokens = 500, .references = 2});
  EXPECT_EQ(model.text_tokens(), 512);
}

TEST(QwenImageBare, HasTheUsualLatentsWithoutAVae) {
  const auto kernels = make_cpu_kernels(1);
  const QwenImageModel model(kernels.get(),
                             WeightSource::open(golden_model("qwen_image_bare.safetensors")));
  EXPECT_EQ(model.latent_channels(), 2);
  EXPECT_EQ(model.latent_factor(), 8);
  EXPECT_EQ(model.native_side(), 128);
  EXPECT_EQ(model.latents().gain, std::vector<double>(2, 1.0));
}

// The pipeline's guidance: each token of 2 x 2 latents stays as long as with the prompt alone.
TEST(QwenImageGuidance, KeepsTheNormOfEachToken) {
  const Reference r("qwen_image_sampling.safetensors");
  const std::vector<float> conditional = r.values("conditional");
  std::vector<float> guided(conditional.size());
  apply_guidance(r.values("unconditional"), conditional, 4, guided);
  keep_token_norms(conditional, {.height = 6, .width = 4, .channels = 4, .patch = 2}, guided);
  EXPECT_LE(relative_error(guided, r.values("guided")), 1e-6);
  std::vector<float> nothing(conditional.size());
  keep_token_norms(conditional, {.height = 6, .width = 4, .channels = 4, .patch = 2}, nothing);
  EXPECT_EQ(nothing, std::vector<float>(conditional.size())) << "a norm of 0 stays 0";
}

}  // namespace
}  // namespace mantissa
