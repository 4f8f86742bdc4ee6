// Krea 2 against diffusers and PEFT in float64 (tests/golden/make_krea2.py).
#include "engine/models/krea2/krea2.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "engine/io/json_file.h"
#include "engine/models/krea2/krea2_model.h"
#include "engine/models/krea2/krea2_seen_size.h"
#include "engine/models/references.h"
#include "engine/models/vae/qwen_vae_config.h"
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
    std::vector<Value> references;
    std::vector<LatentSize> sizes;
    while (r.has(reference_name(references.size()))) {
      references.push_back(input(reference_name(references.size()).c_str(), r));
      sizes.push_back({references.back().shape()[1], references.back().shape()[2]});
    }
    const RotaryTables at =
        krea2_positions(r.shape("text")[1], {s[1], s[2]}, sizes, model_->config());
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
  std::optional<Krea2Transformer> model_;
};
class Krea2Training : public Krea2 {};

TEST_P(Krea2, PredictsAsDiffusers) {
  expect_prediction(ModelFamily("krea2"));
}

TEST_TRAINING_AS_IN_TORCH(Krea2Training)

const auto kKrea2Cases =
    ::testing::Values(ReferenceCase{"krea2", "krea2"}, ReferenceCase{"krea2_edit", "krea2"},
                      ReferenceCase{"krea2_bare_edit", "krea2_bare.safetensors"},
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
  explicit OtherKrea2(const std::filesystem::path& folder) : WholeModel(folder) {}
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

class Krea2Edits : public Krea2Whole {
 protected:
  /// noise_image of make_krea2.py.
  static Image noise(int width, int height, std::uint32_t seed) {
    Image image{width, height, {}};
    for (int i = 0; i < 3 * width * height; ++i) {
      seed = seed * 1664525U + 1013904223U;
      image.pixels.push_back(static_cast<std::uint8_t>(seed >> 24));
    }
    return image;
  }
  static std::vector<Image> seen(std::size_t count) {
    const std::vector<Image> all{noise(96, 64, 7), noise(64, 64, 8)};
    return {all.begin(), all.begin() + static_cast<std::ptrdiff_t>(count)};
  }
  std::map<std::string, std::vector<float>> encoded_beside(const TokenIds& ids,
                                                           std::span<const Image> images) {
    std::vector<LatentSize> sizes;
    for (const Image& image : images) {
      sizes.push_back(
          {image.height / model_->latent_factor(), image.width / model_->latent_factor()});
    }
    Graph graph;
    for (const auto& [name, value] :
         model_->encode_text_beside(graph, model_->text_tokens(), sizes)) {
      graph.output(name, value);
    }
    const Plan plan = make_plan(graph);
    Executor executor(graph, plan, *kernels_, arena_);
    model_->feed_tokens_beside(executor, ids, images);
    executor.run({});
    return {{"context", executor.read("context")}, {"mask", executor.read("mask")}};
  }
};

TEST_F(Krea2Edits, TextsAreThoseOfAiToolkitsTemplate) {
  constexpr std::size_t kWidth = 96, kStep = 7;
  const Reference r("krea2_edit_text.safetensors");
  for (const std::size_t count : {1U, 2U}) {
    const std::string n = std::to_string(count);
    model_->set_text_options({.references = count});
    const std::int64_t needed = model_->tokens_needed("make the cat red");
    model_->set_text_options({.tokens = needed, .references = count});
    const std::vector<std::int32_t> want = r.ids("ids." + n);
    const TokenIds got = model_->tokenize_beside("make the cat red", count);
    EXPECT_TRUE(std::equal(want.begin(), want.end(), got.of("te1_ids").begin()));
    EXPECT_EQ(std::ranges::count(got.of("te1_real"), 1), std::ssize(want));
    const auto text = encoded_beside(got, seen(count));
    const std::vector<float>&context = text.at("context"), &mask = text.at("mask");
    EXPECT_EQ(std::ssize(mask), model_->text_tokens());
    EXPECT_EQ(std::ranges::count(mask, 0.0F), r.ids("count." + n).at(0));
    std::vector<float> states;
    for (std::size_t i = 0, row = 0; i < mask.size(); ++i) {
      if (mask[i] == 0 && row++ % kStep == 0) {
        const auto begin = context.begin() + static_cast<std::ptrdiff_t>(i * kWidth);
        states.insert(states.end(), begin, begin + kWidth);
      }
    }
    EXPECT_LE(relative_error(states, r.values("hidden." + n)), kForward) << count;
  }
}

TEST_F(Krea2Edits, PredictsWithReferencesAsTheTransformerDoes) {
  const Reference r("krea2_edit.safetensors");
  const Shape latents = r.shape("latents");
  const TextValues text = model_->text_inputs(graph_, latents[0], r.shape("text")[1]);
  std::vector<ReferenceLatents> references;
  for (std::size_t i = 0; i < 2; ++i) {
    const Shape own = r.shape(reference_name(i));
    references.push_back({{own[1], own[2]}, r.values(reference_name(i))});
  }
  const std::vector<Value> inputs =
      reference_inputs(graph_, latents[0], latents[3], sizes_of(references));
  graph_.output(
      "prediction",
      model_->predict_edit(graph_, graph_.input("latents", DType::f32, latents),
                           graph_.input("timesteps", DType::f32, {latents[0]}), text, inputs));
  const Plan plan = make_plan(graph_);
  Executor executor(graph_, plan, *kernels_, arena_);
  executor.feed("latents", r.values("latents"));
  executor.feed("timesteps", r.values("timesteps"));
  executor.feed("context", r.values("text"));
  executor.feed("mask", r.values("keys"));
  feed_references(executor, references);
  model_->feed_sizes(executor, {}, latents[1], latents[2]);
  executor.run({});
  EXPECT_LE(relative_error(read(executor.output("prediction")), r.values("prediction")), kForward);
}

TEST_F(Krea2Edits, ATextHasRoomForWhatIsSeenOfReferences) {
  const std::int64_t plain = model_->tokens_needed("a red cat");
  model_->set_text_options({.references = 2});
  EXPECT_EQ(model_->text_tokens(), 512 + 2 * kKrea2SeenTokens);
  const std::int64_t beside = model_->tokens_needed("a red cat");
  EXPECT_GT(beside, plain + 2 * kKrea2SeenTokens) << "images are named too";
  model_->set_text_options({.tokens = beside, .references = 2});
  EXPECT_LT(model_->text_tokens(), 512);
  EXPECT_TRUE(model_->text_reach(std::string(4000, 'x')).at(0).cuts());
}

TEST(Krea2SeenSizes, AreAiToolkitsAndQwen3Vls) {
  const Reference r("krea2_edit_text.safetensors");
  const std::vector<std::int32_t> table = r.ids("sizes");
  ASSERT_GT(table.size(), 40U);
  for (std::size_t i = 0; i < table.size(); i += 4) {
    EXPECT_EQ(krea2_seen_size({table[i], table[i + 1]}, 32),
              (LatentSize{table[i + 2], table[i + 3]}))
        << table[i] << " x " << table[i + 1];
  }
  EXPECT_THROW(krea2_seen_size({16 * 500, 16}, 32), Error);
}

TEST(Krea2SeenSizes, HaveRoomInATextWhateverTheShape) {
  for (int width = 16; width <= 1024; width += 4) {
    for (int height = 16; height <= 1024 * 1024 / width && height <= 200 * width; height += 16) {
      ASSERT_LE(krea2_seen_size({width, height}, 32).positions(), kKrea2SeenTokens)
          << width << " x " << height;
    }
  }
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
