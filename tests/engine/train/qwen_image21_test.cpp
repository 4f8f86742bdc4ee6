// Whole runs of a tiny Qwen-Image-2.1 (tests/golden/make_qwen_image21.py) on the demo's images.
#include <gtest/gtest.h>

#include "engine/io/inspect.h"
#include "engine/plan/plan_run.h"
#include "engine/plan/planned_run.h"
#include "tests/engine/train/family_run.h"

namespace mantissa {
namespace {

class QwenImage21Run : public testing_support::FamilyRun {
 protected:
  QwenImage21Run() : FamilyRun("qwen_image_21") {}
};

TEST_F(QwenImage21Run, LearnsAndLeavesALoraForComfyui) {
  const SafetensorsFile adapter = trained_adapter();
  EXPECT_EQ(adapter.tensors().size(), 2U * 4 * 3);  // down, up and alpha
  for (const TensorInfo& t : adapter.tensors()) {
    EXPECT_TRUE(t.name.starts_with("diffusion_model.transformer_blocks.")) << t.name;
  }
  EXPECT_NE(adapter.find("diffusion_model.transformer_blocks.1.attn.to_out.0.lora_up.weight"),
            nullptr);
  EXPECT_EQ(inspect(home_ / "run/test.safetensors").family, "qwen_image_21");
}

// ComfyUI's model has the gate and the entry of a feed-forward in one; LyCORIS's names have two.
TEST_F(QwenImage21Run, FeedForwardsAreWrittenAsComfyuiHasThem) {
  job_.preset.adapter.targets = {"attention+mlp"};
  job_.preset.training.steps = 2;
  testing_support::FamilyRecorder r;
  const SafetensorsFile lora = SafetensorsFile::open(run(job_into("lora"), r).adapter);
  EXPECT_EQ(lora.tensors().size(), 2U * 6 * 3);
  const TensorInfo* down =
      lora.find("diffusion_model.transformer_blocks.0.img_mlp.gate_up.lora_down.weight");
  ASSERT_NE(down, nullptr);
  EXPECT_EQ(down->dims[0], 2 * job_.preset.adapter.rank);
  EXPECT_EQ(inspect(home_ / "lora/test.safetensors").family, "qwen_image_21");
  job_.preset.adapter.type = AdapterType::lokr;
  const SafetensorsFile lokr = SafetensorsFile::open(run(job_into("lokr"), r).adapter);
  EXPECT_NE(lokr.find("lycoris_transformer_blocks_0_img_mlp_gate_layer.lokr_w1"), nullptr);
}

TEST_F(QwenImage21Run, TrainsItsTextEncoderAndDora) {
  expect_text_and_dora_train();
}

TEST_F(QwenImage21Run, ReplaysItsTrace) {
  expect_trace_is_replayed();
}

TEST_F(QwenImage21Run, EveryCheckpointingScopeIsTheSame) {
  job_.preset.adapter.targets = {"attention+mlp"};
  job_.preset.training.steps = 2;
  expect_every_checkpointing_scope_is_the_same();
}

TEST_F(QwenImage21Run, EveryComputeTypeFollowsFp32) {
  expect_every_compute_type_follows_fp32();
}

TEST_F(QwenImage21Run, Fp16BecomesBf16) {
  job_.preset.precision.compute = ComputeType::fp16;
  EXPECT_NE(finding(plan_training(job_into("run")), "N7"), "");
}

TEST_F(QwenImage21Run, ItsDistillationIsWarnedOf) {
  const std::string found = finding(plan_training(job_into("run")), "N13");
  EXPECT_NE(found.find("Qwen-Image-2.1 40-step"), std::string::npos) << found;
}

}  // namespace
}  // namespace mantissa
