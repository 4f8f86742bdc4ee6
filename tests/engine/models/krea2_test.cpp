// Krea 2 against diffusers and PEFT in float64 (tests/golden/make_krea2.py).
#include "engine/models/krea2/krea2.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "engine/io/json_file.h"
#include "engine/models/krea2/krea2_model.h"
#include "tests/engine/models/transformer_reference.h"
#include "tests/test_util.h"

namespace mantissa {
namespace {

using namespace testing_support;

/// The empty prompt's hidden states, behind 35 layers: PyTorch's own FP32 is 2.6e-5 from float64
/// there, as make_krea2.py prints.
constexpr double kEmptyPrompt = 2.6e-5;

/// A Krea 2 transformer.
class Krea2 : public TransformerReference {
 protected:
  void bind(const Scope& scope) override { model_.emplace(krea2_config(source_), scope); }
  Value predict(Value latents, const Reference& r) override {
    const Shape s = latents.shape();
    const RotaryTables at = krea2_positions(r.shape("text")[1], s[1], s[2], model_->config());
    computed_ = {{"cos", at.cos}, {"sin", at.sin}};
    const Shape table{1, at.tokens, at.pairs};
    return model_->forward(graph_, latents,
                           {.timesteps = input("timesteps", r),
                            .text = input("text", r),
                            .keys = input("keys", r),
                            .cos = graph_.input("cos", DType::f32, table),
                            .sin = graph_.input("sin", DType::f32, table)});
  }
  std::optional<Krea2Transformer> model_;
};
class Krea2Training : public Krea2 {};

TEST_P(Krea2, PredictsAsDiffusers) {
  expect_prediction(ModelFamily("krea2"));
}

TEST_P(Krea2Training, LoraGradients) {
  expect_training(AdapterType::lora, false);
}

TEST_P(Krea2Training, LoraGradientsWithCheckpointing) {
  expect_training(AdapterType::lora, true);
}

TEST_P(Krea2Training, DoraGradients) {
  expect_training(AdapterType::dora, false);
}

TEST_P(Krea2Training, DoraGradientsWithCheckpointing) {
  expect_training(AdapterType::dora, true);
}

TEST_P(Krea2Training, Bf16DeviatesNoMoreThanInTorch) {
  expect_like_torch("bf16", ComputeType::bf16, StorageType::bf16);
}

TEST_P(Krea2Training, Fp16DeviatesNoMoreThanInTorch) {
  expect_like_torch("fp16", ComputeType::fp16, StorageType::fp16);
}

TEST_P(Krea2Training, Fp8StorageDeviatesNoMoreThanInTorch) {
  expect_like_torch("fp8", ComputeType::bf16, StorageType::fp8_e4m3);
}

const auto kKrea2Cases = ::testing::Values(ReferenceCase{"krea2", "krea2"},
                                           ReferenceCase{"krea2_base", "krea2_base.safetensors"},
                                           ReferenceCase{"krea2_bare", "krea2_bare.safetensors"});
INSTANTIATE_TEST_SUITE_P(Golden, Krea2, kKrea2Cases, case_name);
INSTANTIATE_TEST_SUITE_P(Golden, Krea2Training, kKrea2Cases, case_name);

class Krea2Whole : public WholeModel {
 protected:
  Krea2Whole() : WholeModel("krea2") {}
};

TEST_F(Krea2Whole, ReadsCaptionsAsThePipelineDoes) {
  constexpr std::size_t kTokens = 512, kWidth = 96, kFirst = 40, kLast = 24;
  const Reference r("krea2_text.safetensors");
  const std::vector<TokenIds> batch = captions(*model_);
  const auto got = encoded(batch);
  const std::vector<float>&context = got.at("context"), &mask = got.at("mask");
  ASSERT_EQ(context.size(), 3 * kTokens * kWidth);
  for (std::size_t i = 0; i < batch.size(); ++i) {
    const std::string n = std::to_string(i);
    const std::vector<std::int32_t> real = r.ids("real." + n);
    EXPECT_EQ(batch[i].of("te1_ids"), r.ids("ids." + n)) << i;
    EXPECT_EQ(batch[i].of("te1_real"), real) << i;
    std::vector<float> rows = text_rows(context, i, kWidth, 0, kFirst);
    const std::vector<float> last = text_rows(context, i, kWidth, kTokens - kLast, kLast);
    rows.insert(rows.end(), last.begin(), last.end());
    EXPECT_LE(relative_error(rows, r.values("hidden." + n)), i == 1 ? kEmptyPrompt : kForward) << i;
    for (std::size_t t = 0; t < kTokens; ++t) {
      const bool token = real[real.size() - kTokens + t] != 0;
      EXPECT_EQ(mask[i * kTokens + t], token ? 0.0F : -10000.0F) << i << " " << t;
    }
  }
}

/// A copy of the golden model with another model_index.json.
class OtherKrea2 : public WholeModel {
 public:
  explicit OtherKrea2(const std::filesystem::path& folder) : WholeModel(folder.c_str()) {}
  void TestBody() override {}
  std::vector<float> context() { return encoded(captions(*model_)).at("context"); }
  std::string layout() const { return model_->text_layout(); }
};

/// The states that model_index.json names, in its order: the usual ones, turned round.
TEST_F(Krea2Whole, ReadsCaptionsByTheStatesOfItsIndex) {
  constexpr std::size_t kStates = 12, kHidden = 8, kWidth = kStates * kHidden;
  const mantissa::test::TempFolder folder;
  std::filesystem::copy(golden_model("krea2"), folder / "model",
                        std::filesystem::copy_options::recursive);
  nlohmann::json index = read_json(folder / "model/model_index.json");
  nlohmann::json& states = index["text_encoder_select_layers"];
  ASSERT_EQ(states.size(), kStates);
  std::reverse(states.begin(), states.end());
  mantissa::test::write_file(folder / "model/model_index.json", index.dump());
  OtherKrea2 other(folder / "model");
  const std::vector<float> usual = encoded(captions(*model_)).at("context");
  const std::vector<float> turned = other.context();
  ASSERT_EQ(turned.size(), usual.size());
  for (std::size_t i = 0; i < usual.size(); ++i) {
    const std::size_t state = i % kWidth / kHidden, channel = i % kHidden;
    ASSERT_EQ(turned[i - i % kWidth + (kStates - 1 - state) * kHidden + channel], usual[i]) << i;
  }
  EXPECT_NE(other.layout(), model_->text_layout()) << "texts cached by one aren't the other's";
}

TEST_F(Krea2Whole, PredictsAsThePipelineDoes) {
  expect_prediction("krea2.safetensors", {{"context", "text"}, {"mask", "keys"}});
}

TEST_F(Krea2Whole, PaddingBehindACaptionChangesNothing) {
  expect_padding_to_change_nothing();
}

TEST_F(Krea2Whole, HasTheLatentsOfItsVae) {
  EXPECT_EQ(model_->latent_channels(), 4);
  EXPECT_EQ(model_->latent_factor(), 2);
  EXPECT_EQ(model_->latent_multiple(), 2);
  EXPECT_EQ(model_->text_tokens(), 512);
  EXPECT_EQ(model_->latents().shift, qwen_vae_config(source_).latents_mean);
}

}  // namespace
}  // namespace mantissa
