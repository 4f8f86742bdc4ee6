// The probe on the mini model: no gap where there is none, the order of formats, and a deliberately
// sensitive module.
#include "engine/probe/probe.h"

#include <algorithm>
#include <cmath>

#include "engine/preset/preset_io.h"
#include "tests/engine/train/run_fixture.h"

namespace mantissa {
namespace {

class ProbeTest : public testing_support::RunFixture {
 protected:
  void SetUp() override {
    RunFixture::SetUp();
    job_.preset.adapter.targets = {"*.attn1.to_q", "*.attn2.to_k"};
    options_.steps = 2;
  }
  ProbeReport probe() {
    RunControl control;
    testing_support::HealthRecorder observer;
    ProbeReport report = run_probe(job_, options_, control, observer);
    EXPECT_FALSE(std::filesystem::exists(home_ / "runs.db"));
    EXPECT_TRUE(std::filesystem::is_empty(home_) || !job_.base.compare(home_ / "base.safetensors"));
    return report;
  }
  ProbeOptions options_;
};

TEST_F(ProbeTest, Fp32AgainstItselfHasNoGap) {
  const ProbeReport r = probe();
  EXPECT_EQ(r.loss, r.loss_fp32);
  EXPECT_EQ(r.loss_gap, 0);
  EXPECT_EQ(r.gradient_error, 0);
  EXPECT_NEAR(r.gradient_cosine, 1, 1e-12);
  EXPECT_TRUE(r.pins.empty());
  EXPECT_EQ(r.fix_json, "{}");
  EXPECT_EQ(r.verdict.text().rfind("No gap", 0), 0U) << r.verdict;
  ASSERT_GT(r.modules.size(), 50U);
  EXPECT_EQ(r.modules.front().path.rfind("denoiser", 0), 0U);
  for (const ProbeModule& m : r.modules) {
    EXPECT_TRUE(std::isinf(m.output_sqnr) || std::isnan(m.output_sqnr)) << m.path;
    EXPECT_FALSE(m.pin.has_value()) << m.path << " is in FP32 already";
  }
}

TEST_F(ProbeTest, NarrowerFormatsAreFurtherOff) {
  options_.pins = 0;
  std::vector<double> errors;
  std::vector<double> sqnr;
  for (const StorageType weights : {StorageType::bf16, StorageType::fp8_e4m3, StorageType::fp8_e5m2,
                                    StorageType::int8, StorageType::nf4}) {
    job_.preset.precision.weights.denoiser = weights;
    const ProbeReport r = probe();
    errors.push_back(r.gradient_error);
    EXPECT_GT(r.gradient_cosine, 0.9);
    const auto module = std::find_if(r.modules.begin(), r.modules.end(), [](const ProbeModule& m) {
      return m.path == "denoiser.down_blocks.1.attentions.0.transformer_blocks.0.attn1.to_q";
    });
    ASSERT_NE(module, r.modules.end());
    EXPECT_GT(module->output_sqnr, 5);
    sqnr.push_back(module->weight_sqnr);
    EXPECT_GT(module->gradient_error, 0);
  }
  EXPECT_GT(errors[0], 0);
  EXPECT_GT(errors[1], 2 * errors[0]);
  EXPECT_GT(errors[2], 1.2 * errors[1]);
  EXPECT_GT(sqnr[0], sqnr[1] + 15);
  EXPECT_GT(sqnr[1], sqnr[2] + 4);
  EXPECT_GT(errors[3], errors[0]) << "int8 lies between bf16 and E4M3";
  EXPECT_LT(errors[3], 0.7 * errors[1]);
  EXPECT_GT(sqnr[3], sqnr[1] + 8);
  EXPECT_LT(sqnr[3], sqnr[0] - 5);
  EXPECT_GT(errors[4], errors[2]) << "nf4 is coarser than E5M2";
  EXPECT_NEAR(sqnr[4], 20.7, 2);
}

TEST_F(ProbeTest, ReadsCaptionsAsTheRunDoes) {
  job_.preset.data.caption_chunks = 2;
  job_.preset.training.clip_skip = 1;
  options_.steps = 1;
  EXPECT_EQ(probe().gradient_error, 0);
}

TEST_F(ProbeTest, Fp16GradientsAreScaledAsInTheRun) {
  options_.pins = 0;
  options_.steps = 1;
  job_.preset.precision.gradients = MasterType::fp16;
  const double scaled = probe().gradient_error;
  job_.preset.precision.loss_scaling = {LossScaling::Mode::dynamic, 0};
  EXPECT_EQ(probe().gradient_error, scaled);
}

// The first input channel of proj_in is zeroed, and its weights made huge: no effect in FP32, but
// the scale of each FP8 row is wasted on a value that multiplies zero.
TEST_F(ProbeTest, ASensitiveModuleIsFoundAndItsPinClearsIt) {
  const std::string block = "model.diffusion_model.input_blocks.4.1.";
  const Edit no_first = [](std::vector<std::uint16_t>& w, const auto&) { w[0] = 0; };
  job_.base =
      edited_base({{block + "norm.weight", no_first},
                   {block + "norm.bias", no_first},
                   {block + "proj_in.weight",
                    [](std::vector<std::uint16_t>& w, const std::vector<std::int64_t>& shape) {
                      for (std::int64_t row = 0; row < shape[0]; ++row) {
                        w[static_cast<std::size_t>(row * shape[1])] = float16(50000.0F).bits;
                      }
                    }}});
  job_.preset.precision.weights.denoiser = StorageType::fp8_e4m3;
  const ProbeReport r = probe();
  const std::string module = "denoiser.down_blocks.1.attentions.0.proj_in";
  ASSERT_FALSE(r.pins.empty()) << r.verdict;
  EXPECT_EQ(r.pins[0].path, module) << r.verdict;
  EXPECT_EQ(r.pins[0].type, StorageType::bf16);
  EXPECT_GT(r.pins[0].bytes, 0);
  EXPECT_LT(r.pinned_error, 0.9 * r.gradient_error);
  const std::vector<const ProbeModule*> ranked = ranked_by_damage(r);
  ASSERT_GT(ranked.size(), 1U);
  for (std::size_t i = 0; i < ranked.size(); ++i) {
    EXPECT_GE(ranked[i == 0 ? 0 : i - 1]->gradient_error, ranked[i]->gradient_error);
    ASSERT_TRUE(ranked[i]->pin.has_value()) << ranked[i]->path;
    EXPECT_TRUE(ranked[i]->path != module || *ranked[i]->pin == StorageType::bf16);
  }
  EXPECT_NE(r.verdict.text().find(module), std::string::npos) << r.verdict;
  // The printed patch, applied to the preset, gives the predicted result.
  apply_patch(job_.preset, nlohmann::json::parse(r.fix_json));
  EXPECT_EQ(job_.preset.precision.pins.at(module), StorageType::bf16);
  options_.pins = 0;
  EXPECT_EQ(probe().gradient_error, r.pinned_error);
}

TEST_F(ProbeTest, ABrokenPlanIsNamed) {
  job_.base =
      edited_base({{"model.diffusion_model.input_blocks.0.0.weight",
                    [](std::vector<std::uint16_t>& w, const std::vector<std::int64_t>& s) {
                      std::fill(w.begin(), w.begin() + s[1] * s[2] * s[3], float16(60000.0F).bits);
                    }}});
  job_.preset.precision.compute = ComputeType::fp16;
  const ProbeReport r = probe();
  ASSERT_TRUE(r.non_finite.has_value()) << r.verdict;
  EXPECT_EQ(r.non_finite->layer, "denoiser.conv_in");
  EXPECT_NE(r.verdict.text().find("breaks at step 1"), std::string::npos) << r.verdict;
}

}  // namespace
}  // namespace mantissa
