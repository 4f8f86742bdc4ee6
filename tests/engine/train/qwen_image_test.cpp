// Whole runs of a tiny Qwen-Image (tests/golden/make_qwen_image.py) on the demo's images.
#include <gtest/gtest.h>

#include "engine/io/inspect.h"
#include "engine/plan/plan_run.h"
#include "engine/plan/planned_run.h"
#include "tests/engine/train/family_run.h"

namespace mantissa {
namespace {

class QwenImageRun : public testing_support::FamilyRun {
 protected:
  QwenImageRun() : FamilyRun("qwen_image") {}
};

TEST_F(QwenImageRun, LearnsAndLeavesALoraForComfyui) {
  const SafetensorsFile adapter = trained_adapter();
  EXPECT_EQ(adapter.tensors().size(), 2U * 8 * 3);  // down, up and alpha
  for (const TensorInfo& t : adapter.tensors()) {
    EXPECT_TRUE(t.name.starts_with("diffusion_model.transformer_blocks.")) << t.name;
  }
  EXPECT_NE(adapter.find("diffusion_model.transformer_blocks.1.attn.to_out.0.lora_up.weight"),
            nullptr);
  EXPECT_EQ(inspect(home_ / "run/test.safetensors").family, "qwen_image");
}

TEST_F(QwenImageRun, TrainsItsTextEncoderAndDora) {
  expect_text_and_dora_train();
}

TEST_F(QwenImageRun, TrainsALokr) {
  job_.preset.adapter.type = AdapterType::lokr;
  job_.preset.adapter.targets = {"attention+mlp"};
  job_.preset.output.format = OutputFormat::kohya;
  testing_support::FamilyRecorder r;
  const SafetensorsFile lokr = SafetensorsFile::open(run(job_into("run"), r).adapter);
  EXPECT_NE(lokr.find("lora_unet_transformer_blocks_0_img_mlp_net_0_proj.lokr_w1"), nullptr);
  EXPECT_EQ(inspect(home_ / "run/test.safetensors").family, "qwen_image");
}

TEST_F(QwenImageRun, ReplaysItsTrace) {
  expect_trace_is_replayed();
}

TEST_F(QwenImageRun, EveryCheckpointingScopeIsTheSame) {
  job_.preset.adapter.targets = {"attention+mlp"};
  job_.preset.training.steps = 2;
  expect_every_checkpointing_scope_is_the_same();
}

TEST_F(QwenImageRun, EveryComputeTypeFollowsFp32) {
  expect_every_compute_type_follows_fp32();
}

TEST_F(QwenImageRun, Fp16BecomesBf16) {
  job_.preset.precision.compute = ComputeType::fp16;
  const PlanReport plan = plan_training(job_into("run"));
  EXPECT_NE(finding(plan, "N7"), "");
  EXPECT_EQ(finding(plan, "N13"), "");
}

}  // namespace
}  // namespace mantissa
