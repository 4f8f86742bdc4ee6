// ERNIE-Image against diffusers and PEFT in float64 (tests/golden/make_ernie_image.py).
#include "engine/models/ernie_image/ernie_image.h"

#include "engine/models/ernie_image/ernie_image_model.h"
#include "engine/models/qwen3/ministral3_tokenizer.h"
#include "engine/models/vae/flux2_vae.h"
#include "kernels/cpu/cpu.h"
#include "tests/engine/models/transformer_reference.h"
#include "tests/test_util.h"

namespace mantissa {
namespace {

namespace fs = std::filesystem;
using namespace testing_support;

class ErnieImage : public TransformerReference {
 protected:
  void bind(const Scope& scope) override { model_.emplace(ernie_image_config(source_), scope); }
  Value predict(Value latents, const Reference& r) override {
    const ErnieImageConfig& c = model_->config();
    const Shape s = latents.shape();
    const std::int64_t tokens = r.shape("text")[1];
    const RotaryTables at = ernie_image_positions(tokens, s[1], s[2], c);
    std::vector<float> places;
    const std::vector<float> keys = r.values("keys");
    for (auto row = keys.begin(); row != keys.end(); row += tokens) {
      const std::vector<float> own = ernie_image_place(std::count(row, row + tokens, 0.0F), c);
      places.insert(places.end(), own.begin(), own.end());
    }
    computed_ = {{"cos", at.cos}, {"sin", at.sin}, {"place", places}};
    const Shape table{1, at.tokens, c.head_dim()};
    return model_->forward(graph_, latents,
                           {.timesteps = input("timesteps", r),
                            .text = input("text", r),
                            .keys = input("keys", r),
                            .place = graph_.input("place", DType::f32, {s[0], 2, c.axes_dims[0]}),
                            .cos = graph_.input("cos", DType::f32, table),
                            .sin = graph_.input("sin", DType::f32, table)});
  }
  std::optional<ErnieImageTransformer> model_;
};
class ErnieImageTraining : public ErnieImage {};

TEST_P(ErnieImage, PredictsAsDiffusers) {
  expect_prediction(ModelFamily("ernie_image"));
}

TEST_TRAINING_AS_IN_TORCH(ErnieImageTraining)

const auto kErnieImageCases =
    ::testing::Values(ReferenceCase{"ernie_image", "ernie_image"},
                      ReferenceCase{"ernie_image_base", "ernie_image_base.safetensors"},
                      ReferenceCase{"ernie_image_bare", "ernie_image_bare.safetensors"});
INSTANTIATE_TEST_SUITE_P(Golden, ErnieImage, kErnieImageCases, case_name);
INSTANTIATE_TEST_SUITE_P(Golden, ErnieImageTraining, kErnieImageCases, case_name);

class ErnieImageWhole : public WholeModel {
 protected:
  ErnieImageWhole() : WholeModel("ernie_image") {}
};

// The pipeline encodes each prompt by itself; YaRN's frequencies are transformers'.
TEST_F(ErnieImageWhole, ReadsCaptionsAsThePipelineDoes) {
  const Reference r("ernie_image_text.safetensors");
  const std::vector<TokenIds> batch = captions(*model_, 2);
  expect_texts(r, batch, encoded(batch));
  for (std::size_t i = 0; i < batch.size(); ++i) {
    const std::string n = std::to_string(i);
    EXPECT_EQ(batch[i].of("te1_length").at(0), std::ssize(r.ids("ids." + n))) << i;
    EXPECT_EQ(r.shape("hidden." + n)[0], std::ssize(r.ids("ids." + n))) << i;
  }
}

// The image stands behind each text, wherever its padding ends.
TEST_F(ErnieImageWhole, PlacesTheImageBehindEachText) {
  const std::vector<TokenIds> batch = captions(*model_);
  const std::vector<float> places = encoded(batch).at("place");
  ASSERT_EQ(places.size(), batch.size() * 2 * 4);
  for (std::size_t i = 0; i < batch.size(); ++i) {
    const double length = batch[i].of("te1_length").at(0);
    for (std::size_t k = 0; k < 4; ++k) {
      const double angle = k < 2 ? length : length / 16;  // 256^(-1/2)
      EXPECT_NEAR(places[8 * i + k], std::cos(angle), 1e-6) << i << " " << k;
      EXPECT_NEAR(places[8 * i + 4 + k], std::sin(angle), 1e-6) << i << " " << k;
    }
  }
  EXPECT_EQ(batch[1].of("te1_length").at(0), 1) << "an empty prompt is the token before every text";
}

TEST_F(ErnieImageWhole, PaddingBehindACaptionChangesNothing) {
  expect_padding_to_change_nothing(1024);
}

TEST_F(ErnieImageWhole, LongCaptionsAreCut) {
  std::string text;
  for (int i = 0; i < 800; ++i) {
    text += "red cat, ";
  }
  EXPECT_EQ(model_->tokenize(text).of("te1_length").at(0), 1024);
  EXPECT_TRUE(model_->text_reach(text).at(0).cuts());
  EXPECT_FALSE(model_->text_reach("a red cat").at(0).cuts());
  EXPECT_EQ(model_->tokens_needed(text), 1024);
}

// The pipeline adds 1e-5 to the variances, whatever the VAE's config says.
TEST_F(ErnieImageWhole, HasTheLatentsOfItsPipeline) {
  EXPECT_EQ(model_->latent_channels(), 16);
  EXPECT_EQ(model_->latent_factor(), 4);
  EXPECT_EQ(model_->latent_multiple(), 1);
  EXPECT_EQ(model_->patch_size(), 1);
  EXPECT_EQ(model_->text_tokens(), 1024);
  EXPECT_FALSE(model_->guidance_keeps_norms());
  Flux2VaeConfig config = flux2_vae_config(source_);
  EXPECT_EQ(config.norm_eps, 1e-4);
  config.norm_eps = 1e-5;
  EXPECT_EQ(model_->latents().gain, flux2_latents(source_, config).gain);
}

TEST(ErnieImageBare, HasTheUsualLatentsWithoutAVae) {
  const auto kernels = make_cpu_kernels(1);
  const ErnieImageModel model(kernels.get(),
                              WeightSource::open(golden_model("ernie_image_bare.safetensors")));
  EXPECT_EQ(model.latent_channels(), 8);
  EXPECT_EQ(model.latent_factor(), 16);
  EXPECT_EQ(model.native_side(), 64);
}

TEST(Ministral3Tokenizer, EveryTextBeginsWithItsToken) {
  const WeightSource source = WeightSource::open(golden_model("ernie_image"));
  const BpeTokenizer tokenizer = ministral3_tokenizer(source, kTe1, 300);
  EXPECT_EQ(ministral3_ids(tokenizer, ""), std::vector<std::int32_t>{1});
  EXPECT_EQ(ministral3_ids(tokenizer, "<s>").size(), 2U);
  EXPECT_THROW(ministral3_tokenizer(source, kTe1, 299), Error) << "more tokens than embeddings";
}

TEST(Ministral3Tokenizer, NoneShipsWithTheProgram) {
  const WeightSource bare = WeightSource::open(golden_model("ernie_image_bare.safetensors"));
  test::expect_error_with([&] { ministral3_tokenizer(bare, kTe1, 131072); }, {"tokenizer"});
}

// Qwen's models put nothing before a text: a file that asks for it is another model's.
TEST(Ministral3Tokenizer, OnlyItsModelsHaveAFrame) {
  const fs::path folder = golden_model("ernie_image") / "tokenizer";
  EXPECT_NO_THROW(BpeTokenizer::from_folder(folder, {.before = {"<s>"}}));
  test::expect_error_with([&] { BpeTokenizer::from_folder(folder); }, {"post_processor", "<s>"});
  test::expect_error_with([&] { BpeTokenizer::from_folder(folder, {.before = {"</s>"}}); },
                          {"post_processor", "<s>"});
}

}  // namespace
}  // namespace mantissa
