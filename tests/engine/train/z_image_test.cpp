// Whole runs of a tiny Z-Image (tests/golden/make_z_image.py) on the demo's images.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <gtest/gtest.h>
#include <numeric>

#include "engine/core/error.h"
#include "engine/io/file.h"
#include "engine/io/safetensors.h"
#include "engine/plan/planned_run.h"
#include "engine/train/run.h"
#include "tests/engine/train/run_fixture.h"

namespace mantissa {
namespace {
namespace fs = std::filesystem;

class Recorder : public RunObserver {
 public:
  void on_step(const StepRecord& r) override {
    losses.push_back(r.loss);
    text_norms.push_back(r.parts.of(kTe1).norm);
  }
  void on_sample(const SampleRecord& r) override { samples.push_back(r); }
  std::vector<double> losses, text_norms;
  std::vector<SampleRecord> samples;
};

class ZImageRun : public testing_support::RunFixture {
 protected:
  void SetUp() override {
    RunFixture::SetUp();
    job_.out.clear();
    job_.base = fs::path(MANTISSA_TEST_DATA) / "golden/models/z_image";
    job_.preset.data.batch_size = 2;
    job_.preset.optimizer.learning_rate = 1e-2;
    job_.preset.output.format = OutputFormat::comfyui;
  }
};

TEST_F(ZImageRun, LearnsAndLeavesALoraForComfyui) {
  JobSpec job = job_into("run");
  job.preset.training.steps = 10;
  job.preset.samples.every = 10;
  job.preset.samples.prompts = {{"a red cat", "", 1, 64, 48, 3, 4.0}};
  Recorder r;
  const RunResult result = run(job, r);
  ASSERT_EQ(r.losses.size(), 10U);
  EXPECT_TRUE(std::all_of(r.losses.begin(), r.losses.end(),
                          [](double loss) { return std::isfinite(loss); }));
  EXPECT_LT(std::accumulate(r.losses.end() - 3, r.losses.end(), 0.0),
            std::accumulate(r.losses.begin(), r.losses.begin() + 3, 0.0));
  EXPECT_EQ(r.samples.size(), 2U);  // steps 0 and 10
  EXPECT_NE(read_text(r.samples[0].path), read_text(r.samples[1].path));
  const auto adapter = SafetensorsFile::open(result.adapter);
  EXPECT_EQ(adapter.tensors().size(), 5U * 4 * 3);  // down, up and alpha
  for (const TensorInfo& t : adapter.tensors()) {
    EXPECT_TRUE(t.name.starts_with("diffusion_model.")) << t.name;
  }
  EXPECT_NE(adapter.find("diffusion_model.layers.0.attention.to_q.lora_down.weight"), nullptr);
  EXPECT_EQ(inspect(result.adapter).family, "z_image");
}

TEST_F(ZImageRun, TrainsItsTextEncoderAndDora) {
  job_.preset.training.parts = {kDenoiser, kTe1};
  job_.preset.adapter.targets = {"attention+mlp"};
  job_.preset.adapter.type = AdapterType::dora;
  job_.preset.output.format = OutputFormat::diffusers;
  Recorder r;
  run(job_into("run"), r);
  ASSERT_EQ(r.text_norms.size(), 4U);
  EXPECT_GT(r.text_norms[3], 0);
}

TEST_F(ZImageRun, EveryComputeTypeFollowsFp32) {
  Recorder full;
  run(job_into("fp32"), full);
  for (const ComputeType compute : {ComputeType::bf16, ComputeType::fp8}) {
    JobSpec job = job_into(compute == ComputeType::bf16 ? "bf16" : "fp8");
    job.preset.precision.compute = compute;
    Recorder r;
    run(job, r);
    for (std::size_t i = 0; i < full.losses.size(); ++i) {
      EXPECT_NEAR(r.losses[i], full.losses[i], 0.1 * full.losses[i]) << "step " << i;
    }
  }
}

// The input of w2 reaches 344,064 in the released model.
TEST_F(ZImageRun, Fp16BecomesBf16) {
  job_.preset.precision.compute = ComputeType::fp16;
  const PlanReport plan = plan_training(job_into("run"));
  const auto found = std::find_if(plan.findings.begin(), plan.findings.end(),
                                  [](const Finding& f) { return f.id == "N7"; });
  ASSERT_NE(found, plan.findings.end());
  EXPECT_NE(found->changes.find("bf16"), std::string::npos) << found->changes;
}

}  // namespace
}  // namespace mantissa
