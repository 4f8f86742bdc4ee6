// Z-Image against diffusers and PEFT in float64 (tests/golden/make_z_image.py).
#include "engine/models/z_image/z_image.h"

#include "engine/graph/ops.h"
#include "engine/models/z_image/z_image_model.h"
#include "kernels/cpu/cpu.h"
#include "tests/engine/models/transformer_reference.h"
#include "tests/test_util.h"

namespace mantissa {
namespace {

using namespace testing_support;

/// A Z-Image transformer: captions of different lengths in one batch, against diffusers' result for
/// each of them alone.
class ZImage : public TransformerReference {
 protected:
  void bind(const Scope& scope) override { model_.emplace(z_image_config(source_), scope); }
  Value predict(Value latents, const Reference& r) override {
    const Shape s = latents.shape();
    const ZImagePositions at = z_image_positions(s[1], s[2], r.shape("text")[1], model_->config());
    computed_ = {{"order", at.order}, {"frequencies", at.frequencies}};
    for (std::int64_t b = 0; b < s[0]; ++b) {
      computed_["grid"].insert(computed_["grid"].end(), at.grid.begin(), at.grid.end());
    }
    for (const float t : r.values("timesteps")) {
      computed_["times"].push_back(kZImageTimes - t);
    }
    const auto n = static_cast<std::int64_t>(at.grid.size() / 2);
    const auto pairs = static_cast<std::int64_t>(at.frequencies.size() / 3);
    ZImageInputs in;
    in.times = graph_.input("times", DType::f32, r.shape("timesteps"));
    in.text = input("text", r);
    in.layout = input("layout", r);
    in.order = graph_.input("order", DType::f32, {2, n});
    in.grid = graph_.input("grid", DType::f32, {s[0], n, 2});
    in.frequencies = graph_.input("frequencies", DType::f32, {3, pairs});
    return scale(model_->forward(graph_, latents, in), -1.0F);
  }
  std::optional<ZImageTransformer> model_;
};
class ZImageTraining : public ZImage {};

TEST_P(ZImage, EachSampleIsWhatItWouldBeAlone) {
  expect_prediction(ModelFamily("z_image"));
}

TEST_TRAINING_AS_IN_TORCH(ZImageTraining)

const auto kZImageCases = ::testing::Values(
    ReferenceCase{"z_image", "z_image"}, ReferenceCase{"z_image_base", "z_image_base.safetensors"},
    ReferenceCase{"z_image_bare", "z_image_bare.safetensors"});
INSTANTIATE_TEST_SUITE_P(Golden, ZImage, kZImageCases, case_name);
INSTANTIATE_TEST_SUITE_P(Golden, ZImageTraining, kZImageCases, case_name);

class ZImageWhole : public WholeModel {
 protected:
  ZImageWhole() : WholeModel("z_image") {}
};

TEST_F(ZImageWhole, ReadsCaptionsAsThePipelineDoes) {
  constexpr std::size_t kTokens = 512, kWidth = 40;
  const Reference r("z_image_text.safetensors");
  const std::vector<TokenIds> batch = captions(*model_);
  const auto got = encoded(batch);
  for (std::size_t i = 0; i < batch.size(); ++i) {
    const std::vector<std::int32_t> own = r.ids("ids." + std::to_string(i));
    std::vector<std::int32_t> ids = batch[i].of("te1_ids");
    EXPECT_EQ(ids.size(), kTokens);
    ids.resize(own.size());
    EXPECT_EQ(ids, own) << i;
    EXPECT_EQ(batch[i].of("te1_length").at(0), static_cast<std::int32_t>(own.size()));
    std::vector<float> want = r.values("hidden." + std::to_string(i));
    const auto length = static_cast<std::int64_t>(want.size() / kWidth);
    want.resize(kTokens * kWidth, 0.0F);
    EXPECT_LE(relative_error(text_rows(got.at("context"), i, kWidth, 0, kTokens), want), kForward)
        << i;
    EXPECT_EQ(text_rows(got.at("layout"), i, 2, 0, kTokens), z_image_layout(length, kTokens)) << i;
  }
}

TEST_F(ZImageWhole, PredictsAsThePipelineDoes) {
  expect_prediction("z_image.safetensors", {{"context", "text"}, {"layout", "layout"}});
}

TEST_F(ZImageWhole, PaddingBehindACaptionChangesNothing) {
  expect_padding_to_change_nothing();
}

TEST_F(ZImageWhole, HasTheLatentsOfFlux1) {
  EXPECT_EQ(model_->latent_channels(), 16);
  EXPECT_EQ(model_->latents().gain.at(15), 0.3611);
  EXPECT_EQ(model_->latents().shift.at(15), 0.1159);
  EXPECT_EQ(model_->text_tokens(), 512);
}

TEST(ZImageTimes, KeepTheirDigitsNearPureNoise) {
  const std::vector<float> timesteps{999.99F, 999.9F, 998.7F, 900.1F, 500.3F, 0.2F};
  const std::unique_ptr<Kernels> kernels = make_cpu_kernels();
  Graph graph;
  graph.output("times", z_image_times(graph, graph.input("timesteps", DType::f32, {6})));
  const Plan plan = make_plan(graph);
  Arena arena(*kernels);
  Executor executor(graph, plan, *kernels, arena);
  executor.feed("timesteps", timesteps);
  executor.run({});
  const std::vector<float> times = executor.read("times");
  for (std::size_t i = 0; i < timesteps.size(); ++i) {
    const double exact = 1000.0 - static_cast<double>(timesteps[i]);
    EXPECT_NEAR(static_cast<double>(times[i]) / exact, 1, 1e-6) << timesteps[i];
  }
}

TEST(ZImagePositions, EndWhereTheModelDoes) {
  const ZImageConfig config;
  const ZImagePositions p = z_image_positions(10, 14, 64, config);  // 35 patches, 29 of padding
  EXPECT_EQ(p.grid.size(), 2U * (64 + 64));
  EXPECT_EQ(p.grid[2 * 34], 4);
  EXPECT_EQ(p.grid[2 * 34 + 1], 6);
  EXPECT_EQ(p.order[34], 0);
  EXPECT_EQ(p.order[35], -1);
  EXPECT_EQ(p.order[128 + 35], -1);
  EXPECT_EQ(p.order[128 + 64], 0);
  EXPECT_EQ(p.order[128 + 127], 63);
  test::expect_error_with([&] { z_image_positions(1026, 14, 64, config); },
                          {"513 x 7", "512 x 512"});
}

}  // namespace
}  // namespace mantissa
