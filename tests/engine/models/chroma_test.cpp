// Chroma against diffusers and PEFT in float64 (tests/golden/make_chroma.py).
#include "engine/models/chroma/chroma.h"

#include "engine/models/chroma/chroma_model.h"
#include "engine/models/flux1/flux1_forward.h"
#include "kernels/cpu/cpu.h"
#include "tests/engine/models/transformer_reference.h"

namespace mantissa {
namespace {

using namespace testing_support;

/// The numbers of every modulation, for a batch of two.
std::vector<float> numbers_of_two(const ChromaConfig& config) {
  std::vector<float> numbers = chroma_numbers(config);
  const std::vector<float> one = numbers;
  numbers.insert(numbers.end(), one.begin(), one.end());
  return numbers;
}

/// A Chroma transformer.
class Chroma : public TransformerReference {
 protected:
  void bind(const Scope& scope) override { model_.emplace(chroma_config(source_), scope); }
  Value predict(Value latents, const Reference& r) override {
    const Shape s = latents.shape();
    const ChromaConfig& c = model_->config();
    const RotaryTables at = flux1_rotation(r.shape("text")[1], {s[1], s[2]}, c.axes_dims);
    computed_ = {{"cos", at.cos}, {"sin", at.sin}, {"numbers", numbers_of_two(c)}};
    const Shape table{1, at.tokens, at.pairs};
    return model_->forward(
        graph_, latents,
        {.timesteps = input("timesteps", r),
         .text = input("text", r),
         .keys = input("keys", r),
         .cos = graph_.input("cos", DType::f32, table),
         .sin = graph_.input("sin", DType::f32, table),
         .numbers =
             graph_.input("numbers", DType::f32, {2, c.modulations(), c.approximator_channels})});
  }
  std::optional<ChromaTransformer> model_;
};
class ChromaTraining : public Chroma {};

TEST_P(Chroma, PredictsAsDiffusers) {
  expect_prediction(ModelFamily("chroma"));
}

TEST_TRAINING_AS_IN_TORCH(ChromaTraining)

const auto kChromaCases = ::testing::Values(
    ReferenceCase{"chroma", "chroma"}, ReferenceCase{"chroma_base", "chroma_base.safetensors"},
    ReferenceCase{"chroma_bare", "chroma_bare.safetensors"});
INSTANTIATE_TEST_SUITE_P(Golden, Chroma, kChromaCases, case_name);
INSTANTIATE_TEST_SUITE_P(Golden, ChromaTraining, kChromaCases, case_name);

// Angles of the last of 344 modulations: a hundredth of a turn is less than what their rounding
// moves them by.
TEST(ChromaNumbers, AreRoundedAsInTraining) {
  const Reference r("chroma_numbers.safetensors");
  const ChromaConfig released;
  const std::vector<float> all = chroma_numbers(released), want = r.values("numbers");
  const auto width = static_cast<std::size_t>(released.approximator_channels);
  ASSERT_EQ(all.size(), 344 * width);
  const std::size_t own = width / 2, rows = want.size() / own;
  for (std::size_t i = 0; i < rows; ++i) {
    const auto row = all.end() - static_cast<std::ptrdiff_t>((rows - i) * width);
    EXPECT_LE(relative_error({row + static_cast<std::ptrdiff_t>(own), row + std::ssize(all) / 344},
                             {want.begin() + static_cast<std::ptrdiff_t>(i * own),
                              want.begin() + static_cast<std::ptrdiff_t>((i + 1) * own)}),
              1e-6)
        << i;
    EXPECT_EQ(std::vector<float>(row, row + 16), std::vector<float>(16, 0.0F)) << "the time's";
    std::vector<float> guidance(16, 0.0F);
    std::fill_n(guidance.begin(), 8, 1.0F);
    EXPECT_EQ(std::vector<float>(row + 16, row + 32), guidance) << "of 0";
  }
}

class ChromaWhole : public WholeModel {
 protected:
  ChromaWhole() : WholeModel("chroma") {}
};

TEST_F(ChromaWhole, ReadsCaptionsAsThePipelineDoes) {
  const Reference r("chroma_text.safetensors");
  const std::vector<TokenIds> batch = captions(*model_);
  const auto values = encoded(batch);
  constexpr std::size_t kWidth = 24, kRows = 48;
  for (std::size_t i = 0; i < batch.size(); ++i) {
    const std::string n = std::to_string(i);
    EXPECT_EQ(batch[i].of("te1_ids"), r.ids("te1." + n)) << i;
    EXPECT_LE(relative_error(text_rows(values.at("context"), i, kWidth, 0, kRows),
                             r.values("hidden." + n)),
              kForward)
        << i;
    EXPECT_EQ(text_rows(values.at("mask"), i, 1, 0, kRows), r.values("keys." + n)) << i;
  }
}

TEST_F(ChromaWhole, PredictsAsThePipelineDoes) {
  expect_prediction("chroma.safetensors", {{"context", "text"}, {"mask", "keys"}});
}

TEST_F(ChromaWhole, PaddingBehindTheFirstChangesNothing) {
  expect_padding_to_change_nothing();
}

TEST_F(ChromaWhole, ACaptionOfAllTokensHasNoPadding) {
  std::string caption;
  for (int i = 0; i < 300; ++i) {
    caption += "a red cat, ";
  }
  EXPECT_EQ(model_->tokens_needed(caption), 512);
  EXPECT_EQ(model_->tokens_needed(""), 2) << "the end, and one of padding";
  const std::vector<TokenIds> batch{model_->tokenize(caption)};
  const auto values = encoded(batch);
  EXPECT_EQ(values.at("mask"), std::vector<float>(512, 0.0F));
  const std::vector<TextReach> reach = model_->text_reach(caption);
  ASSERT_EQ(reach.size(), 1U);
  EXPECT_EQ(reach.front().part, kTe1);
  EXPECT_EQ(reach.front().most, 511);
  EXPECT_TRUE(reach.front().cuts());
}

TEST_F(ChromaWhole, IsGuidedByASecondPass) {
  EXPECT_FALSE(model_->takes_guidance());
  EXPECT_EQ(model_->latent_channels(), 16);
  EXPECT_EQ(model_->latent_factor(), 4);
  EXPECT_EQ(model_->latent_multiple(), 2);
  EXPECT_EQ(model_->latents().gain, std::vector<double>(16, 0.3611));
  EXPECT_EQ(model_->latents().shift, std::vector<double>(16, 0.1159));
}

TEST(ChromaBare, HasTheUsualLatentsWithoutAVae) {
  const auto kernels = make_cpu_kernels(1);
  const ChromaModel model(kernels.get(),
                          WeightSource::open(golden_model("chroma_bare.safetensors")));
  EXPECT_EQ(model.latent_channels(), 16);
  EXPECT_EQ(model.latent_factor(), 8);
  EXPECT_EQ(model.native_side(), 128);
  EXPECT_EQ(model.latents().gain, std::vector<double>(16, 0.3611));
}

}  // namespace
}  // namespace mantissa
